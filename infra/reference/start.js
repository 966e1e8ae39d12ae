// Runs in the browser, after Scalar's own script.
/* global Scalar */
const { baseUrl, apiKey } = JSON.parse(document.querySelector('#settings').textContent);
const description = await (await fetch('page.json')).json();
if (baseUrl !== undefined) await useExistingPet();

Scalar.createApiReference('#reference', {
  content: description,
  // Without a key the page is for reading: a browser may not call the API from another site's page.
  hideTestRequestButton: apiKey === undefined,
  authentication: {
    preferredSecurityScheme: 'apiKey',
    securitySchemes: { apiKey: { token: apiKey ?? '' } },
  },
  documentDownloadType: 'none',
  orderSchemaPropertiesBy: 'preserve',
  orderRequiredPropertiesFirst: false,
  hideModels: true,
  hiddenClients: true,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  telemetry: false,
  withDefaultFonts: false,
});

/** Where an operation is of the pet of the examples, a pet that is there takes its place. */
async function useExistingPet() {
  const response = await fetch(`${baseUrl}/pets?limit=1`, { headers: { Authorization: `Bearer ${apiKey}` } });
  const [pet] = response.ok ? await response.json() : [];
  if (pet === undefined) return;
  for (const operations of Object.values(description.paths)) {
    for (const [method, operation] of Object.entries(operations)) {
      const example = operation.parameters.find(({ name }) => name === 'petId')?.example;
      if (example === undefined) continue;
      operations[method] = JSON.parse(JSON.stringify(operation).replaceAll(`${example}`, `${pet.id}`));
    }
  }
}
