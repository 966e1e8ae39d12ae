import { expect, it } from 'vitest';
import { httpRequest } from '../../../local-api/test/support/received-request.ts';
import { referenceEndpoints } from '../../reference/reference-endpoints.ts';
import { referenceFromSources } from '../../reference/reference-from-sources.ts';

const api = { baseUrl: 'http://127.0.0.1:3000/v1', apiKey: 'a key' };
const endpoints = new Map(referenceEndpoints(api, referenceFromSources()));

it('the reference calls the API at the host name it was loaded from', async () => {
  const page = await endpoints.get('GET /')?.(httpRequest({ headers: { host: ['localhost:8080'] } }));

  expect(String(page?.body)).toContain('"servers":[{"url":"http://localhost:8080/v1",');
  expect(page?.headers).toMatchObject({
    'Content-Security-Policy': "frame-ancestors 'none'",
    'Cross-Origin-Resource-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
  });
});

it('the description has the limits of a stage', async () => {
  const request = httpRequest({ headers: { host: ['127.0.0.1:3000'] } });

  const description = await endpoints.get('GET /openapi.json')?.(request);

  expect(String(description?.body)).toMatch(/## Limits\\n\\n.*All clients together:\\n\\n- `GET \//);
});

it('25 requests at the same time share one page', async () => {
  const request = httpRequest({ headers: { host: ['127.0.0.1:3000'] } });
  const endpoint = endpoints.get('GET /');

  const [first, ...others] = await Promise.all(Array.from({ length: 25 }, () => endpoint?.(request)));

  expect(first?.body).toBeInstanceOf(Buffer);
  for (const response of others) expect(response?.body).toBe(first?.body);
});
