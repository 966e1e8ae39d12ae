import type { HttpRequest } from '../../http/read-request.ts';

/** Returns a request to the local API with the parts that a test chooses. */
export const httpRequest = (change: Partial<HttpRequest>): HttpRequest => ({
  id: 'request',
  receivedAt: new Date('2026-11-22T02:38:13.456Z'),
  method: 'GET',
  path: '/',
  query: '',
  headers: {},
  rawHeaders: [],
  body: Buffer.alloc(0),
  sourceIp: '127.0.0.1',
  domainName: '127.0.0.1:3000',
  port: 3000,
  ...change,
});
