import { expect, it } from 'vitest';
import { exampleNewPet } from '../../shared/contract/operations.ts';
import { call } from '../support/e2e/api-client.ts';
import { type ApiResponse, deviations } from '../support/e2e/conformance.ts';

const body = { ...exampleNewPet, categoryId: 1 };

it('the conformance check reports deviations of request or response', async () => {
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
  expect(found({ status: 422, body: { code: 'gone', message: '', status: 422 } })).toContain(
    'code gone is not described',
  );
  expect(found({}, { ...body, categoryId: undefined })).toEqual([
    "data must have required property 'categoryId'",
  ]);
});
