import { beforeEach, describe, expect, it } from 'vitest';
import { issueKey, listKeys, revokeKey, rotateKey, verifyKey } from '../../../bin/keys/commands.ts';
import { operatorArn } from '../../../infra/local/template/account.ts';
import { apiKeyHash, generateApiKey, keyIdOf } from '../../../shared/contract/api-key.ts';
import { day, now, openTestStage } from '../../support/keys/test-stage.ts';

const stage = await openTestStage();

const key = generateApiKey('staging');
const keyHash = apiKeyHash(key);
const keyId = keyIdOf(keyHash);

const damaged = { keyHash, client: 'globex' };

it.each([
  ['no createdAt', {}],
  ['a fraction for createdAt', { createdAt: 1.5 }],
  ['an expiresAt that is not a number', { createdAt: now + 1, expiresAt: 'soon' }],
  ['a revokedAt that is not a number', { createdAt: now + 1, revokedAt: 'today' }],
])('a row with %s is listed as damaged until it is revoked', async (_title, attributes) => {
  await stage.put({ ...damaged, ...attributes });
  const intact = await issueKey(stage, { client: 'acme' });

  const listed = await listKeys(stage, {});
  await revokeKey(stage, keyId);

  expect(listed).toMatchObject([
    { keyId, client: 'globex', state: 'damaged' },
    { keyId: intact.keyId, state: 'active' },
  ]);
  expect(await stage.items()).toContainEqual(
    expect.objectContaining({
      ...{ keyHash, revokedAt: BigInt(now), revokedBy: operatorArn, purgeAt: BigInt(now + 90 * day) },
    }),
  );
});

describe('a damaged row', () => {
  beforeEach(() => stage.put(damaged));

  it('does not prevent revoking another key', async () => {
    const other = await issueKey(stage, { client: 'acme' });

    expect(await revokeKey(stage, other.keyId)).toMatchObject({ keyId: other.keyId, state: 'revoked' });
  });

  it('is not valid', async () => {
    expect(await verifyKey(stage, key)).toMatchObject({ keyId, state: 'damaged', isValid: false });
  });

  it('cannot be rotated', async () => {
    await expect(rotateKey(stage, keyId, { overlap: '7d' })).rejects.toThrow(
      `The key ${keyId} is damaged: issue globex a new one.`,
    );
  });
});

it('a key is still active if only the ARN of its issuer is damaged', async () => {
  await stage.put({ keyHash, client: 'globex', createdAt: now, issuedBy: 1 });

  expect(await listKeys(stage, {})).toMatchObject([{ keyId, state: 'active', issuedBy: null }]);
});
