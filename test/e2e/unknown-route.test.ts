import { describe, expect, it } from 'vitest';
import { call } from '../support/e2e/api-client.ts';
import { expectError } from '../support/e2e/expect-error.ts';

describe('an unknown route', () => {
  it.each([
    ['GET', ''],
    ['GET', '/store/orders'],
    ['GET', '/PETS'],
    ['GET', '/pets/1/2'],
    ['DELETE', '/pets/1/2'],
  ])('is a 404 with or without a key: %s %s', async (method, path) => {
    expectError(await call(method, path), 404, 'not_found');
    expectError(await call(method, path, { headers: { Authorization: undefined } }), 404, 'not_found');
  });
});

// https://github.com/aws/aws-sam-cli/pull/1495
it('a trailing slash makes no difference', async () => {
  expect((await call('GET', '/pets/?limit=2')).status).toBe(200);
});
