import { describe, expect, it } from 'vitest';
import { call } from '../support/e2e/api-client.ts';
import { commonHeaders, expectError } from '../support/e2e/expect-error.ts';

describe('a path that the API does not have', () => {
  it.each(['', '/store/orders', '/PETS', '/pets/1/2'])('responds with 404 for %j', async (path) => {
    const response = await call('GET', path);

    expectError(response, 404, 'not_found');
  });

  it('responds with 404 without a key too', async () => {
    const response = await call('GET', '/store/orders', { headers: { Authorization: undefined } });

    expectError(response, 404, 'not_found');
  });
});

describe('a method that a path does not have', () => {
  it.each([
    ['DELETE', '/pets'],
    ['OPTIONS', '/pets'],
    ['POST', '/pets/1'],
  ])('responds with 404 for %s %s', async (method, path) => {
    const response = await call(method, path);

    expectError(response, 404, 'not_found');
  });

  it.each(['/pets', '/pets/1'])('responds with 404 for HEAD %s, without a body', async (path) => {
    const response = await call('HEAD', path);

    expect(response.status).toBe(404);
    expect(response.text).toBe('');
    expect(response.headers).toMatchObject({ ...commonHeaders, 'content-type': 'application/json' });
  });
});

// https://github.com/aws/aws-sam-cli/pull/1495
describe('a slash at the end of a path', () => {
  it('makes no difference, as everywhere in API Gateway', async () => {
    const response = await call('GET', '/pets/?limit=2');

    expect(response.status).toBe(200);
    expect(response.body).toBeInstanceOf(Array);
  });
});
