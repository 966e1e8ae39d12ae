import { describe, expect, it } from 'vitest';
import { call } from '../support/e2e/api-client.ts';
import { commonHeaders, expectError } from '../support/e2e/expect-error.ts';

describe('HEAD', () => {
  it('responds like GET without a body', async () => {
    const response = await call('HEAD', '/pets?limit=1');

    expect(response).toMatchObject({
      status: 200,
      text: '',
      headers: { ...commonHeaders, 'content-type': 'application/json' },
    });
  });
});

describe('a method that a path does not support', () => {
  it.each([
    ['PUT', '/pets', 'GET, HEAD, POST'],
    ['DELETE', '/pets/', 'GET, HEAD, POST'],
    ['OPTIONS', '/pets', 'GET, HEAD, POST'],
    ['POST', '/pets/1', 'GET, HEAD'],
  ])('is a 405 with the allowed methods: %s %s', async (method, path, allow) => {
    const response = await call(method, path);

    expectError(response, 405, 'method_not_allowed');
    expect(response.headers).toMatchObject({ allow });
  });

  it('is a 401 without a key', async () => {
    const response = await call('DELETE', '/pets', { headers: { Authorization: undefined } });

    expectError(response, 401, 'unauthorized');
  });
});
