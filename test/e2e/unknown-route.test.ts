import { describe, expect, it } from 'vitest';
import { call } from '../support/e2e/api-client.ts';
import { commonHeaders, expectError } from '../support/e2e/expect-error.ts';

describe('what the API does not have', () => {
  it.each([
    ['GET', ''],
    ['GET', '/store/orders'],
    ['GET', '/PETS'],
    ['GET', '/pets/1/2'],
    ['DELETE', '/pets'],
    ['OPTIONS', '/pets'],
    ['POST', '/pets/1'],
  ])('is not found, with a key or without: %s %s', async (method, path) => {
    expectError(await call(method, path), 404, 'not_found');
    expectError(await call(method, path, { headers: { Authorization: undefined } }), 404, 'not_found');
  });

  it('is HEAD, whose response has no body', async () => {
    const response = await call('HEAD', '/pets');

    const headers = { ...commonHeaders, 'content-type': 'application/json' };
    expect(response).toMatchObject({ status: 404, text: '', headers });
  });
});

// https://github.com/aws/aws-sam-cli/pull/1495
it('a slash at the end of a path makes no difference, as everywhere in API Gateway', async () => {
  expect((await call('GET', '/pets/?limit=2')).status).toBe(200);
});
