import { expect, it } from 'vitest';
import { generateApiKey } from '../../shared/contract/api-key.ts';
import { operations } from '../../shared/contract/operations.ts';
import { apiKey, call } from '../support/e2e/api-client.ts';
import type { ApiResponse } from '../support/e2e/conformance.ts';
import { expectError } from '../support/e2e/expect-error.ts';

const [, stage = ''] = apiKey.split('_');
const mistypedKey = apiKey.replace(/.(?=.{20}$)/, (character) => (character === 'a' ? 'b' : 'a'));

it.each(Object.values(operations))('rejects $operationId without a key', async ({ method, path }) => {
  const headers = { Authorization: undefined };

  expectUnauthorized(await call(method, path.replaceAll(/\{\w+\}/g, '1'), { headers }));
});

it.each([
  ['a key without a scheme', apiKey],
  ['a mistyped key', `Bearer ${mistypedKey}`],
  ['a key that was never issued', `Bearer ${generateApiKey(stage)}`],
])('rejects %s', async (_title, authorization) => {
  expectUnauthorized(await call('GET', '/pets', { headers: { Authorization: authorization } }));
});

function expectUnauthorized(response: ApiResponse): void {
  expectError(response, 401, 'unauthorized');
  expect(response.headers['www-authenticate']).toBe('Bearer realm="pet-store"');
}
