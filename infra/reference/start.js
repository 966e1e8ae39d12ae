// Runs in the browser, after Swagger UI's own script.
/* global SwaggerUIBundle */
const { apiKey } = JSON.parse(document.querySelector('#settings').textContent);

const dark = matchMedia('(prefers-color-scheme: dark)');
const followScheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', followScheme);
followScheme();

const ui = SwaggerUIBundle({
  dom_id: '#reference',
  url: 'openapi.json',
  deepLinking: true,
  docExpansion: 'list',
  tryItOutEnabled: true,
  // Without a key the page is for reading: a browser may not call the API from another site's page.
  supportedSubmitMethods: apiKey === undefined ? [] : ['get', 'post'],
  validatorUrl: 'none',
  onComplete() {
    if (apiKey !== undefined) ui.preauthorizeApiKey('apiKey', apiKey);
  },
});
