import { describe, expect, it, vi } from 'vitest';
import { apiKeyHash, generateApiKey, keyIdOf } from '../../../shared/keys/api-key.ts';
import { operatorArn } from '../../local-api/template/account.ts';
import { issueKey, listKeys, revokeKey, rotateKey, verifyKey } from '../commands.ts';
import { day, now, openTestStage } from './support/test-stage.ts';

const stage = await openTestStage();

/** Sets the clock to some seconds after the start of the test. */
const later = (seconds: number) => vi.setSystemTime((now + seconds) * 1000);

describe('issueKey', () => {
  it('stores only the hash of a key', async () => {
    const { key, ...issued } = await issueKey(stage, { client: 'acme', note: 'till', expires: '90d' });

    const keyHash = apiKeyHash(key);
    expect(key).toMatch(/^petstore_staging_[0-9A-Za-z]{38}$/);
    expect(issued).toStrictEqual({
      keyId: keyIdOf(keyHash),
      client: 'acme',
      expires: '2027-02-18T12:00:00Z',
    });
    expect(await stage.items()).toStrictEqual([
      {
        keyHash,
        client: 'acme',
        note: 'till',
        createdAt: BigInt(now),
        issuedBy: operatorArn,
        expiresAt: BigInt(now + 90 * day),
        purgeAt: BigInt(now + 180 * day),
      },
    ]);
  });

  it.each(['0', 'acme-2', 'a'.repeat(63)])('accepts the client name %s', async (client) => {
    expect(await issueKey(stage, { client })).toMatchObject({ client });
  });

  it.each(['', 'Acme', '-acme', 'acme-', 'a'.repeat(64)])('rejects the client name "%s"', async (client) => {
    const message = `"${client}" is not a valid client name: use lower-case letters, digits and hyphens, such as acme.`;

    await expect(issueKey(stage, { client })).rejects.toThrow(new Error(message));
  });
});

describe('listKeys', () => {
  it('lists the newest key first, from all pages of the table', async () => {
    for (const [index, client] of ['acme', 'globex', 'hooli', 'initech'].entries()) {
      later(index);
      await issueKey(stage, { client, note: 'x'.repeat(350 * 1024) });
    }

    const keys = await listKeys(stage);

    expect(keys.map(({ client }) => client)).toStrictEqual(['initech', 'hooli', 'globex', 'acme']);
  });

  it('rejects a client without keys', async () => {
    await expect(listKeys(stage, { client: 'umbrella' })).rejects.toThrow(
      'Client umbrella has no key for staging: run list to see clients, or issue a key.',
    );
  });
});

describe('rotateKey', () => {
  const overlap = '7d';

  it.each([
    ['gets the lifetime of the old one', '90d', {}, '2027-02-19T12:00:00Z'],
    ['never expires, like the old one', 'never', {}, null],
    ['expires as given', '90d', { expires: '20d' }, '2026-12-11T12:00:00Z'],
    ['never expires, as given', '90d', { expires: 'never' }, null],
  ])('issues a key that %s', async (_title, lifetime, options, expires) => {
    const { keyId } = await issueKey(stage, { client: 'acme', note: 'till', expires: lifetime });
    later(day);

    const { issued } = await rotateKey(stage, keyId, { overlap, ...options });

    expect(issued).toMatchObject({ client: 'acme', expires });
    expect(await verifyKey(stage, issued.key)).toMatchObject({
      keyId: issued.keyId,
      expires,
      note: 'till',
      issuedBy: operatorArn,
      state: 'active',
    });
  });

  it.each([
    ['after the overlap', 'never', '2026-11-27T12:00:00Z'],
    ['no later than before', '1d', '2026-11-21T12:00:00Z'],
  ])('lets the old key expire %s', async (_title, lifetime, expires) => {
    const { key, keyId } = await issueKey(stage, { client: 'acme', expires: lifetime });

    const { old } = await rotateKey(stage, keyId, { overlap });

    expect(old).toMatchObject({ keyId, expires, state: 'expiring', rotatedBy: operatorArn });
    expect(await verifyKey(stage, key)).toMatchObject({ expires, isValid: true });
  });

  it.each<[string, end: (keyId: string) => unknown, options: { expires?: string }, message: string]>([
    ['an expired key', () => later(day), {}, ' is expired: issue acme a new one.'],
    ['a revoked key', (keyId) => revokeKey(stage, keyId), {}, ' is revoked: issue acme a new one.'],
    [
      'a rotated key',
      (keyId) => rotateKey(stage, keyId, { overlap }),
      {},
      ' has already been rotated: pass ',
    ],
    ['an invalid expiry', () => undefined, { expires: 'soon' }, 'is not valid: use a date'],
  ])('rejects %s without changing anything', async (_title, end, options, message) => {
    const { keyId } = await issueKey(stage, { client: 'acme', expires: '1d' });
    await end(keyId);
    const items = await stage.items();

    await expect(rotateKey(stage, keyId, { overlap, ...options })).rejects.toThrow(message);
    expect(await stage.items()).toStrictEqual(items);
  });
});

describe('verifyKey', () => {
  it.each([
    ['89d', true],
    ['90d', false],
  ])('reports whether a key that expires in 90 days stays valid for %s', async (duration, isValid) => {
    const { key, keyId } = await issueKey(stage, { client: 'acme', expires: '90d' });

    expect(await verifyKey(stage, key, duration)).toMatchObject({ keyId, state: 'active', isValid });
  });

  const key = generateApiKey('petstore_staging_');
  const mistyped = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;

  it.each([
    ['a key with its scheme', `Bearer ${key}`, 'That is not an API key: it has the wrong format.'],
    ['a mistyped key', mistyped, 'That key is mistyped: its checksum does not match.'],
    [
      'a key of another stage',
      generateApiKey('petstore_production_'),
      'That is a key for production, not staging.',
    ],
    ['a key that is not stored', key, 'it was never issued here, or was purged after 90 days.'],
  ])('rejects %s', async (_title, text, message) => {
    await expect(verifyKey(stage, text)).rejects.toThrow(message);
  });
});
