import { describe, expect, it } from 'vitest';
import { apiKeyHash, generateApiKey, keyIdOf } from '../../../shared/keys/api-key.ts';
import { operatorArn } from '../../local-api/template/account.ts';
import { listKeys, revokeKey, rotateKey, verifyKey } from '../commands.ts';
import { day, now, openTestStage } from './support/test-stage.ts';

const stage = await openTestStage();

const key = generateApiKey('petstore_staging_');
const keyHash = apiKeyHash(key);
const keyId = keyIdOf(keyHash);

describe('a damaged row', () => {
  it.each([
    ['no createdAt', {}],
    ['a fraction for createdAt', { createdAt: 1.5 }],
    ['an expiresAt that is not a number', { createdAt: now + 1, expiresAt: 'soon' }],
    ['a revokedAt that is not a number', { createdAt: now + 1, revokedAt: 'today' }],
  ])('with %s can be listed and revoked', async (_title, attributes) => {
    await stage.put({ keyHash, client: 'globex', ...attributes });

    const [listed] = await listKeys(stage);
    await revokeKey(stage, keyId);

    expect(listed).toMatchObject({ keyId, client: 'globex', state: 'damaged' });
    const revoked = { revokedAt: BigInt(now), revokedBy: operatorArn, purgeAt: BigInt(now + 90 * day) };
    expect(await stage.items()).toMatchObject([{ keyHash, ...revoked }]);
  });

  it('is not a valid key, even for a rotation', async () => {
    await stage.put({ keyHash, client: 'globex' });

    expect(await verifyKey(stage, key)).toMatchObject({ keyId, state: 'damaged', isValid: false });
    await expect(rotateKey(stage, keyId, { overlap: '7d' })).rejects.toThrow(
      `The key ${keyId} is damaged: issue globex a new one.`,
    );
  });

  it.each([
    ['issuer ARN', { issuedBy: 1 }, { issuedBy: null }],
    ['client, which could forge a line', { client: 'acme\n0123456789ab is valid' }, { client: null }],
  ])('is not one with an invalid %s', async (_title, attributes, listed) => {
    await stage.put({ keyHash, client: 'globex', createdAt: now, ...attributes });

    expect(await listKeys(stage)).toMatchObject([{ keyId, state: 'active', ...listed }]);
  });
});
