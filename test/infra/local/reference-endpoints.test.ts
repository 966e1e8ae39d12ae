import { expect, it } from 'vitest';
import { referenceEndpoints } from '../../../infra/local/reference-endpoints.ts';
import { httpRequest } from '../../support/infra/http-request.ts';

const endpoints = new Map(referenceEndpoints({ baseUrl: 'http://127.0.0.1:3000/v1', apiKey: 'a key' }));

it('the reference calls the API at the host name it was loaded from', async () => {
  const page = await endpoints.get('GET /')?.(httpRequest({ headers: { host: ['localhost:8080'] } }));

  expect(page?.body).toContain('"servers":[{"url":"http://localhost:8080/v1",');
  expect(page?.headers).toMatchObject({
    'Content-Security-Policy': "frame-ancestors 'none'",
    'Cross-Origin-Resource-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
  });
});
