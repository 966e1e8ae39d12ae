const textOf = (id) => document.getElementById(id).textContent;
const zipped = Uint8Array.from(atob(textOf('scalar')), (character) => character.charCodeAt(0));
const unzipped = new Blob([zipped]).stream().pipeThrough(new DecompressionStream('gzip'));
new Response(unzipped).text().then((text) => {
  const script = document.createElement('script');
  script.textContent = text;
  document.head.append(script);
  // Scalar takes what is there for a page that it rendered on a server.
  document.getElementById('reference').replaceChildren();
  Scalar.createApiReference('#reference', JSON.parse(textOf('configuration')));
});
