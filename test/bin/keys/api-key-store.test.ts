import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { OperatorError } from '../../../bin/keys/operator-error.ts';
import { apiKeyHash } from '../../../shared/contract/api-key.ts';
import { day, now, openTestStages, type TestStage } from '../../support/keys/test-stages.ts';

let stage: TestStage;
openTestStages((opened) => {
  stage = opened;
});

it('an issued key is stored as its hash alone, and purged 90 days after it expires, if it does', async () => {
  const { key } = await stage.keys.issue({ client: 'acme' });
  const ending = { client: 'acme', note: 'till', issuedBy: 'alice' };
  const { key: endingKey } = await stage.keys.issue({ ...ending, expiresAt: now + day });

  const stored = { client: 'acme', createdAt: BigInt(now) };
  const ends = { expiresAt: BigInt(now + day), purgeAt: BigInt(now + 91 * day) };
  expect(
    (await stage.items()).toSorted((a, b) => Object.keys(a).length - Object.keys(b).length),
  ).toStrictEqual([
    { ...stored, keyHash: apiKeyHash(key) },
    { ...stored, ...ending, ...ends, keyHash: apiKeyHash(endingKey) },
  ]);
});

describe('the list of keys', () => {
  it('goes on over all pages of a table', async () => {
    const note = 'x'.repeat(300 * 1024);
    await Promise.all(Array.from({ length: 5 }, () => stage.keys.issue({ client: 'acme', note })));

    expect(await stage.keys.list()).toHaveLength(5);
  });

  it('is not that of a table of something else', async () => {
    const table = await stage.createTable([{ id: '1' }], 'id');

    await expect(stage.keysOf(table).list()).rejects.toThrow(
      new OperatorError(`The table ${table} holds no API keys: give the name of one that does.`),
    );
  });
});

describe('the end of a key', () => {
  it.each([
    ['expire', 'expiresAt', 'rotatedBy'],
    ['revoke', 'revokedAt', 'revokedBy'],
  ] as const)('is written by %s, with the purge 90 days later', async (end, attribute, by) => {
    const { key } = await stage.keys.issue({ client: 'acme' });
    const stored = { keyHash: apiKeyHash(key), client: 'acme' };

    await stage.keys[end]({ ...stored, createdAt: now }, now + day, 'alice');

    const ends = { [attribute]: BigInt(now + day), purgeAt: BigInt(now + 91 * day), [by]: 'alice' };
    expect(await stage.items()).toStrictEqual([{ ...stored, createdAt: BigInt(now), ...ends }]);
  });

  it('does not bring back a key that is gone', async () => {
    const gone = { keyHash: apiKeyHash('gone'), client: 'acme', createdAt: now };

    await expect(stage.keys.revoke(gone, now)).rejects.toThrow(ConditionalCheckFailedException);
    expect(await stage.items()).toStrictEqual([]);
  });
});
