import { expect, it } from 'vitest';
import { exampleNewPet } from '../../shared/contract/operations.ts';
import { call } from '../support/e2e/api-client.ts';
import { type ApiResponse, deviations } from '../support/e2e/conformance.ts';
import { exampleRequests } from '../support/e2e/example-requests.ts';
import { createOnce } from '../support/e2e/pets.ts';

// The client compares each response with the description.
it.each(exampleRequests)('responds to the example of $method $path', async ({ method, path, ...request }) => {
  const { status } = await call(method, path, request);

  // The example need not exist, and a deprecated operation ends.
  expect([request.success, 404, 410]).toContain(status);
});

it('the conformance check reports each deviation in a response', async () => {
  const response = await createOnce(exampleNewPet);
  const found = (changed: Partial<ApiResponse>) => deviations('POST', '/pets', { ...response, ...changed });

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
  const gone = { code: 'gone', message: '', status: 422 };
  expect(found({ status: 422, body: gone })).toContain('code gone is not described');
  expect(deviations('POST', '/no-such-path', response)).toContain('status: 201, not 404');
});
