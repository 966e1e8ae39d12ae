import { describe, expect, it } from 'vitest';
import { call } from '../support/e2e/api-client.ts';
import { commonHeaders, expectError } from '../support/e2e/expect-error.ts';

describe('a path that the API does not have', () => {
  it.each(['', '/store/orders', '/PETS', '/pets/1/2'])('answers 404 for %j', async (path) => {
    const answer = await call('GET', path);

    expectError(answer, 404, 'not_found');
  });

  it('answers 404 without a key too', async () => {
    const answer = await call('GET', '/store/orders', { headers: { Authorization: undefined } });

    expectError(answer, 404, 'not_found');
  });
});

describe('a method that a path does not have', () => {
  it.each([
    ['DELETE', '/pets'],
    ['OPTIONS', '/pets'],
    ['POST', '/pets/1'],
  ])('answers 404 for %s %s', async (method, path) => {
    const answer = await call(method, path);

    expectError(answer, 404, 'not_found');
  });

  it.each(['/pets', '/pets/1'])('answers 404 for HEAD %s, without a body', async (path) => {
    const answer = await call('HEAD', path);

    expect(answer.status).toBe(404);
    expect(answer.text).toBe('');
    expect(answer.headers).toMatchObject({ ...commonHeaders, 'content-type': 'application/json' });
  });
});

// https://github.com/aws/aws-sam-cli/pull/1495
describe('a slash at the end of a path', () => {
  it('makes no difference, as everywhere in API Gateway', async () => {
    const answer = await call('GET', '/pets/?limit=2');

    expect(answer.status).toBe(200);
    expect(answer.body).toBeInstanceOf(Array);
  });
});
