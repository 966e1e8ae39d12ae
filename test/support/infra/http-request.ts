import type { HttpRequest } from '../../../infra/local/http/http.ts';

/** A request to the local API, by what a test looks at. */
export const httpRequest = (change: Partial<HttpRequest>): HttpRequest => ({
  method: 'GET',
  path: '/',
  query: '',
  headers: {},
  rawHeaders: [],
  body: Buffer.alloc(0),
  sourceIp: '127.0.0.1',
  ...change,
});
