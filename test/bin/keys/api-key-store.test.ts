import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { OperatorError } from '../../../bin/keys/operator-error.ts';
import { apiKeyHash } from '../../../shared/contract/api-key.ts';
import { day, now, openTestStage } from '../../support/keys/test-stage.ts';

const stage = await openTestStage();
const stored = { client: 'acme', createdAt: BigInt(now) };

it.each([
  ['never purged while it does not expire', {}, {}],
  [
    'purged 90 days after it expires',
    { expiresAt: now + day },
    { expiresAt: BigInt(now + day), purgeAt: BigInt(now + 91 * day) },
  ],
])('an issued key is stored as its hash alone, and %s', async (_title, options, ends) => {
  const told = { client: 'acme', note: 'till', issuedBy: 'alice' };

  const { key } = await stage.keys.issue({ ...told, ...options });

  expect(await stage.items()).toStrictEqual([{ ...stored, ...told, ...ends, keyHash: apiKeyHash(key) }]);
});

it.each([
  ['expire', 'expiresAt', 'rotatedBy'],
  ['revoke', 'revokedAt', 'revokedBy'],
] as const)('the end of a key is written by %s, with the purge 90 days later', async (end, at, by) => {
  const { key } = await stage.keys.issue({ client: 'acme' });
  const keyHash = apiKeyHash(key);

  await stage.keys[end]({ keyHash, client: 'acme', createdAt: now }, now + day, 'alice');

  const ends = { [at]: BigInt(now + day), purgeAt: BigInt(now + 91 * day), [by]: 'alice' };
  expect(await stage.items()).toStrictEqual([{ ...stored, ...ends, keyHash }]);
});

it('the end of a key does not bring it back when it is gone', async () => {
  const gone = { keyHash: apiKeyHash('gone'), client: 'acme', createdAt: now };

  await expect(stage.keys.revoke(gone, now)).rejects.toThrow(ConditionalCheckFailedException);
  expect(await stage.items()).toStrictEqual([]);
});

it('the list of keys goes on over all pages of a table', async () => {
  const note = 'x'.repeat(300 * 1024);
  for (let count = 0; count < 5; count += 1) await stage.keys.issue({ client: 'acme', note });

  expect(await stage.keys.list()).toHaveLength(5);
});

it('the list of keys is not that of a table of something else', async () => {
  const table = await stage.createTable('id', [{ id: '1' }]);

  await expect(stage.keysOf(table).list()).rejects.toThrow(
    new OperatorError(`The table ${table} holds no API keys: give the name of one that does.`),
  );
});
