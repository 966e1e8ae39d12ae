import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { apiKeyHash, generateApiKey, keyIdOf } from '../../../shared/keys/api-key.ts';
import { day, now, openTestStage } from './support/test-stage.ts';

const stage = await openTestStage();
const { keys } = stage;

const keyHash = apiKeyHash(generateApiKey('petstore_staging_'));
const keyId = keyIdOf(keyHash);

it('lists a key that was issued just before', async () => {
  const send = vi.spyOn(DynamoDBDocumentClient.prototype, 'send');
  onTestFinished(() => send.mockRestore());

  await keys.list();

  expect(send.mock.calls.map(([{ input }]) => input)).toMatchObject([{ ConsistentRead: true }]);
});

describe('expire and revoke', () => {
  const end = { purgeAt: BigInt(now + 90 * day) };

  it.each<[title: string, write: () => Promise<unknown>, stored: object]>([
    ['never postpone expiry', () => keys.expire(keyHash, now), { expiresAt: BigInt(now), ...end }],
    ['do not expire a revoked key', () => keys.revoke(keyHash, now), { revokedAt: BigInt(now), ...end }],
  ])('%s', async (_title, write, stored) => {
    await stage.put({ keyHash, client: 'acme', createdAt: now });
    await write();

    const ended = await keys.expire(keyHash, now + day, 'another');

    const [item] = await stage.items();
    expect(item).toMatchObject(stored);
    expect(ended.rotatedBy).toBeUndefined();
  });

  it('keep the first revocation', async () => {
    await stage.put({ keyHash, client: 'acme', createdAt: now });
    await keys.revoke(keyHash, now);

    expect(await keys.revoke(keyHash, now + day, 'another')).toMatchObject({ revokedAt: now });
  });

  it('do not recreate a key purged meanwhile', async () => {
    await expect(keys.revoke(keyHash, now)).rejects.toThrow(
      `The key ${keyId} was purged meanwhile: it is no longer valid.`,
    );
    expect(await stage.items()).toStrictEqual([]);
  });
});
