import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { describe, expect, it, vi } from 'vitest';
import { OperatorError } from '../../../bin/keys/operator-error.ts';
import { apiKeyHash, hasValidChecksum, keyIdOf } from '../../../shared/contract/api-key.ts';
import { openTestStages, type TestStage } from '../../support/keys/test-stages.ts';

const now = Date.parse('2026-11-20T12:00:00Z') / 1000;
const day = 24 * 60 * 60;

let stage: TestStage;
openTestStages(now, (opened) => {
  stage = opened;
});

describe('an issued key', () => {
  it('is one of the stage, stored as its hash, and never purged while it does not expire', async () => {
    const { key, keyId } = await stage.keys.issue({ client: 'acme' });

    expect(key).toMatch(/^petstore_staging_[0-9A-Za-z]{38}$/);
    expect(hasValidChecksum(key)).toBe(true);
    expect(keyId).toBe(keyIdOf(apiKeyHash(key)));
    expect(await stage.items()).toStrictEqual([
      { keyHash: apiKeyHash(key), client: 'acme', createdAt: BigInt(now) },
    ]);
  });

  it('is purged 90 days after it expires', async () => {
    await stage.keys.issue({ client: 'acme', expiresAt: now + day, note: 'till', issuedBy: 'alice' });

    expect(await stage.items()).toMatchObject([
      { expiresAt: BigInt(now + day), purgeAt: BigInt(now + 91 * day), note: 'till', issuedBy: 'alice' },
    ]);
  });
});

describe('the list of keys', () => {
  it('has the newest first', async () => {
    const clients = ['first', 'second', 'third'];
    for (const [index, client] of clients.entries()) {
      vi.setSystemTime((now + index) * 1000);
      await stage.keys.issue({ client });
    }

    const keys = await stage.keys.list();

    expect(keys.map(({ client }) => client)).toStrictEqual(clients.toReversed());
  });

  it('goes on over all pages of a table', async () => {
    const note = 'x'.repeat(300 * 1024);
    await Promise.all(Array.from({ length: 5 }, () => stage.keys.issue({ client: 'acme', note })));

    expect(await stage.keys.list()).toHaveLength(5);
  });

  it('is not that of a table of something else', async () => {
    const table = await stage.otherTable();

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

    await stage.keys[end]({ keyHash: apiKeyHash(key), client: 'acme', createdAt: now }, now + day, 'alice');

    expect(await stage.items()).toMatchObject([
      { client: 'acme', [attribute]: BigInt(now + day), purgeAt: BigInt(now + 91 * day), [by]: 'alice' },
    ]);
  });

  it.each(['expire', 'revoke'] as const)('does not bring back by %s a key that is gone', async (end) => {
    const gone = { keyHash: apiKeyHash('gone'), client: 'acme', createdAt: now };

    const ended = stage.keys[end](gone, now);

    await expect(ended).rejects.toThrow(ConditionalCheckFailedException);
    expect(await stage.items()).toStrictEqual([]);
  });
});
