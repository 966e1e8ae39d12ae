import { expect, it } from 'vitest';
import { call } from '../support/e2e/api-client.ts';
import { commonHeaders, expectError } from '../support/e2e/expect-error.ts';

const withoutKey = { headers: { Authorization: undefined } };

it('HEAD responds like GET without a body', async () => {
  const response = await call('HEAD', '/pets?limit=1');

  expect(response).toMatchObject({
    status: 200,
    text: '',
    headers: { ...commonHeaders, 'content-type': 'application/json' },
  });
});

// https://github.com/aws/aws-sam-cli/pull/1495
it('a trailing slash makes no difference', async () => {
  expect((await call('GET', '/pets/?limit=2')).status).toBe(200);
});

it.each([
  ['/pets', ['GET', 'HEAD', 'POST']],
  ['/pets/', ['GET', 'HEAD', 'POST']],
  ['/pets/1', ['GET', 'HEAD']],
])('an unsupported method is a 405 with the allowed methods: %s', async (path, allowed) => {
  const response = await call('OPTIONS', path);

  expectError(response, 405, 'method_not_allowed');
  expect(response.headers['allow']?.split(', ')).toEqual(expect.arrayContaining(allowed));
});

it('an unsupported method is a 401 without a key', async () => {
  expectError(await call('OPTIONS', '/pets', withoutKey), 401, 'unauthorized');
});

it.each([
  ['GET', ''],
  ['GET', '/no-such-path'],
  ['GET', '/PETS'],
  ['DELETE', '/pets/1/no-such-path'],
])('an unknown path is a 404 with or without a key: %s %s', async (method, path) => {
  expectError(await call(method, path), 404, 'not_found');
  expectError(await call(method, path, withoutKey), 404, 'not_found');
});
