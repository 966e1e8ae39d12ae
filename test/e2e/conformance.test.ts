import { expect, it } from 'vitest';
import { exampleNewPet } from '../../shared/contract/operations.ts';
import { type ApiResponse, deviations } from '../support/e2e/conformance.ts';
import { createOnce } from '../support/e2e/pets.ts';

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
  expect(deviations('POST', '/orders', response)).toContain('status: 201, not 404');
});
