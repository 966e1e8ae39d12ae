import { expect, it } from 'vitest';
import { generateApiKey } from '../../shared/keys/api-key.ts';
import { operations } from '../../shared/service.ts';
import { path } from '../support/contract/own-operations.ts';
import { apiKey, baseUrl, call } from '../support/e2e/api-client.ts';
import type { ApiResponse } from '../support/e2e/conformance.ts';
import { commonHeaders, expectError } from '../support/e2e/expect-error.ts';

// The local API has no web ACL.
const isLocal = new URL(baseUrl).hostname === '127.0.0.1';
const withIds = (path: string) => path.replaceAll(/\{\w+\}/g, '1');
const withoutKey = { headers: { Authorization: undefined } };

it('HEAD responds like GET without a body', async () => {
  const response = await call('HEAD', path);

  expect(response).toMatchObject({
    status: 200,
    text: '',
    headers: { ...commonHeaders, 'content-type': 'application/json' },
  });
});

// https://github.com/aws/aws-sam-cli/pull/1495
it('a trailing slash makes no difference', async () => {
  expect((await call('GET', `${path}/`)).status).toBe(200);
});

it.each(Object.values(operations))(
  'an unsupported method is a 405 that allows the method of $operationId',
  async ({ method, ...operation }) => {
    const response = await call('OPTIONS', withIds(operation.path));

    expectError(response, 405, 'method_not_allowed');
    const allowed = method === 'GET' ? ['GET', 'HEAD'] : [method];
    expect(response.headers['allow']?.split(', ')).toEqual(expect.arrayContaining(allowed));
  },
);

it.each([
  ['GET', ''],
  ['GET', '/no-such-path'],
  ['GET', path.toUpperCase()],
  ['DELETE', `${path}/1/no-such-path`],
])('an unknown path is a 404, without a key a 401 behind a web ACL: %s %s', async (method, target) => {
  expectError(await call(method, target), 404, 'not_found');
  const response = await call(method, target, withoutKey);

  const isBehindWebAcl = response.status === 401 && !isLocal;
  if (isBehindWebAcl) expectUnauthorized(response);
  else expectError(response, 404, 'not_found');
});

const [, stage = ''] = apiKey.split('_');
const mistypedKey = apiKey.replace(/.(?=.{20}$)/, (character) => (character === 'a' ? 'b' : 'a'));

it.each([...Object.values(operations), { operationId: 'an unsupported method', method: 'OPTIONS', path }])(
  'rejects $operationId without a key',
  async ({ method, ...operation }) => {
    expectUnauthorized(await call(method, withIds(operation.path), withoutKey));
  },
);

it.each([
  ['a key without a scheme', apiKey],
  ['a mistyped key', `Bearer ${mistypedKey}`],
  ['a key that was never issued', `Bearer ${generateApiKey(`petstore_${stage}_`)}`],
])('rejects %s', async (_title, authorization) => {
  expectUnauthorized(await call('GET', path, { headers: { Authorization: authorization } }));
});

function expectUnauthorized(response: ApiResponse): void {
  expectError(response, 401, 'unauthorized');
  expect(response.headers['www-authenticate']).toBe('Bearer realm="pet-store"');
}
