import { expect, it } from 'vitest';
import { call } from '../support/e2e/api-client.ts';
import { type ApiResponse, deviations } from '../support/e2e/conformance.ts';

const body = { name: 'Bella', categoryId: 1 };

it('conformance is that of the request and the response with the interface description', async () => {
  const response = await call('POST', '/pets', { headers: { 'Idempotency-Key': 'conformance' }, body });
  const found = (changed: Partial<ApiResponse>, sent: object = body) =>
    deviations('POST', '/pets', { body: sent }, { ...response, ...changed });

  const { location: _location, ...rest } = response.headers;
  const headers = { ...rest, 'x-debug': '1', 'content-type': 'text/html' };
  expect(found({})).toEqual([]);
  expect(found({ headers, body: { ...Object(response.body), name: undefined } })).toEqual([
    'header x-debug is not described',
    'header Location is missing',
    'content type is text/html, not application/json',
    "data must have required property 'name'",
  ]);
  expect(found({ status: 418 })).toEqual(['status 418 is not described']);
  expect(found({}, { name: 'Bella' })).toEqual(["data must have required property 'categoryId'"]);
});
