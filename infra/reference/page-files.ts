import { readFileSync } from 'node:fs';
import { stringifyJson } from '../../shared/contract/json.ts';
import { openApiDocument } from './document.ts';

/** Where a page can try the API, and with which key. */
export interface TryOut {
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** A file of the reference. */
export interface DocsFile {
  readonly contentType: string;
  readonly content: string | Buffer;
}

const script = 'text/javascript; charset=utf-8';

/**
 * The files of the API reference, by name: a page that reads the interface description with Swagger UI. With `tryOut` it
 * calls the API there; without it is for reading, and has no key.
 */
export function docsFiles(tryOut?: TryOut): ReadonlyMap<string, DocsFile> {
  const document = openApiDocument();
  const served = tryOut
    ? { ...document, servers: [{ url: tryOut.baseUrl, description: 'This machine.' }] }
    : document;

  return new Map([
    ['index.html', { contentType: 'text/html; charset=utf-8', content: page(tryOut?.apiKey) }],
    ['openapi.json', { contentType: 'application/json', content: stringifyJson(served, 2) }],
    ['start.js', { contentType: script, content: readFileSync(new URL('./start.js', import.meta.url)) }],
    [
      'style.css',
      { contentType: 'text/css', content: readFileSync(new URL('./style.css', import.meta.url)) },
    ],
    ['swagger-ui-bundle.js', { contentType: script, content: swaggerUi('swagger-ui-bundle.js') }],
    ['swagger-ui.css', { contentType: 'text/css', content: swaggerUi('swagger-ui.css') }],
    ['favicon-32x32.png', { contentType: 'image/png', content: swaggerUi('favicon-32x32.png') }],
  ]);
}

const swaggerUi = (file: string) => readFileSync(new URL(import.meta.resolve(`swagger-ui-dist/${file}`)));

const page = (apiKey?: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Pet Store API</title>
    <link rel="icon" href="favicon-32x32.png" />
    <link rel="stylesheet" href="swagger-ui.css" />
    <link rel="stylesheet" href="style.css" />
    <script type="application/json" id="settings">${JSON.stringify({ apiKey })}</script>
    <script src="swagger-ui-bundle.js" defer></script>
    <script src="start.js" defer></script>
  </head>
  <body>
    <div id="reference"></div>
  </body>
</html>
`;
