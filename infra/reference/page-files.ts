import { readFileSync } from 'node:fs';
import { stringifyJson } from '../../shared/contract/json.ts';
import { openApiDocument } from './document.ts';
import { pageDocument } from './page-document.ts';
import { scalarScript } from './scalar.ts';

/** Where a page can try the API, and with which key. */
export interface TryOut {
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** A file of the reference. */
export interface DocsFile {
  readonly contentType: string;
  readonly read: () => string | Promise<string>;
}

const script = 'text/javascript; charset=utf-8';

/**
 * The files of the API reference, by name: a page that shows the interface description with Scalar. With `tryOut` it
 * calls the API there; without it is for reading, and has no key.
 */
export function docsFiles(tryOut?: TryOut): ReadonlyMap<string, DocsFile> {
  return new Map<string, DocsFile>([
    ['index.html', { contentType: 'text/html; charset=utf-8', read: () => page(tryOut) }],
    ['openapi.json', { contentType: 'application/json', read: () => stringifyJson(openApiDocument(), 2) }],
    [
      'page.json',
      { contentType: 'application/json', read: () => JSON.stringify(pageDocument(tryOut?.baseUrl)) },
    ],
    ['start.js', { contentType: script, read: () => beside('start.js') }],
    ['style.css', { contentType: 'text/css; charset=utf-8', read: () => beside('style.css') }],
    ['scalar.js', { contentType: script, read: scalarScript }],
  ]);
}

const beside = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');

/** A paw. */
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="#0b7285"><ellipse cx="16" cy="21" rx="8" ry="7"/><circle cx="6" cy="14" r="3.5"/><circle cx="12" cy="7" r="3.5"/><circle cx="20" cy="7" r="3.5"/><circle cx="26" cy="14" r="3.5"/></svg>';

const page = (tryOut?: TryOut) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Pet Store API</title>
    <link rel="icon" href="data:image/svg+xml,${encodeURIComponent(icon)}" />
    <link rel="stylesheet" href="style.css" />
    <script type="application/json" id="settings">${JSON.stringify({ ...tryOut })}</script>
    <script src="scalar.js" defer></script>
    <script type="module" src="start.js"></script>
  </head>
  <body>
    <div id="reference"></div>
    <noscript>This page needs JavaScript; <a href="openapi.json">openapi.json</a> says the same.</noscript>
  </body>
</html>
`;
