import { stringifyJson } from '../../shared/contract/json.ts';
import { openApiDocument } from '../reference/document.ts';
import { referencePage } from '../reference/page.ts';
import type { Page } from './http/http.ts';

const headers = {
  // A page cannot set this directive itself, as it does the others.
  'Content-Security-Policy': "frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  // The page holds a key.
  'Cache-Control': 'no-store',
};

/**
 * The API reference at the root of the local API, ready to try it with the local key. It calls the API at the host name
 * under which the page was loaded: any other, such as localhost for 127.0.0.1, would be another origin.
 */
export function docsPages({ baseUrl, apiKey }: { baseUrl: string; apiKey: string }): [string, Page][] {
  const { host, pathname } = new URL(baseUrl);
  const page =
    (contentType: string, bodyOf: (reachedUrl: string) => string | Promise<string>): Page =>
    async ({ headers: { host: [reached = host] = [] } }) => ({
      status: 200,
      headers: { ...headers, 'Content-Type': contentType },
      body: await bodyOf(`http://${reached}${pathname}`),
    });

  return [
    ['GET /', page('text/html; charset=utf-8', (url) => referencePage({ baseUrl: url }, apiKey))],
    [
      'GET /openapi.json',
      page('application/json', (url) => stringifyJson(openApiDocument({ baseUrl: url }), 2)),
    ],
  ];
}
