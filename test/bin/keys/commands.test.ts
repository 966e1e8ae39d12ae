import { describe, expect, it, vi } from 'vitest';
import { issueKey, listKeys, revokeKey, rotateKey, verifyKey } from '../../../bin/keys/commands.ts';
import { OperatorError } from '../../../bin/keys/operator-error.ts';
import { operatorArn } from '../../../infra/local/template/account.ts';
import { apiKeyHash, generateApiKey, keyIdOf } from '../../../shared/contract/api-key.ts';
import { day, now, openTestStage } from '../../support/keys/test-stage.ts';

const stage = await openTestStage();

/** Sets the clock to some seconds from the start of the test. */
const later = (seconds: number) => vi.setSystemTime((now + seconds) * 1000);

describe('issue', () => {
  it.each([
    ['never, unless it is told to', {}, null, {}],
    [
      'after a duration',
      { expires: '90d' },
      '2027-02-18T12:00:00Z',
      { expiresAt: BigInt(now + 90 * day), purgeAt: BigInt(now + 180 * day) },
    ],
  ])('gives a key that expires %s, and stores its hash alone', async (_title, options, expires, ends) => {
    const { key, ...issued } = await issueKey(stage, { client: 'acme', note: 'till', ...options });

    const keyHash = apiKeyHash(key);
    const told = { keyId: keyIdOf(keyHash), client: 'acme', expires };
    const stored = { keyHash, client: 'acme', createdAt: BigInt(now), note: 'till', issuedBy: operatorArn };
    expect(key).toMatch(/^petstore_staging_[0-9A-Za-z]{38}$/);
    expect(issued).toStrictEqual(told);
    expect(await stage.items()).toStrictEqual([{ ...stored, ...ends }]);
    expect(await verifyKey(stage, key)).toMatchObject({ ...told, note: 'till' });
  });

  it('takes a slug for a client, and refuses anything else before anything is done', async () => {
    for (const client of ['', 'Acme', '-acme', 'acme-', 'acme_corp', 'a'.repeat(64)]) {
      const message = `"${client}" is no client: write lower-case letters, digits and hyphens, such as acme.`;
      await expect(issueKey(stage, { client })).rejects.toThrow(new OperatorError(message));
    }
    await expect(issueKey(stage, { client: 'acme', expires: 'soon' })).rejects.toThrow(OperatorError);
    expect(await stage.items()).toStrictEqual([]);

    for (const client of ['0', 'acme-2', 'a'.repeat(63)]) {
      expect(await issueKey(stage, { client })).toMatchObject({ client });
    }
  });
});

it('list tells of each key, the newest first, or of those of a client', async () => {
  expect(await listKeys(stage, {})).toStrictEqual([]);
  for (const [index, client] of ['acme', 'globex', 'initech'].entries()) {
    later(index);
    await issueKey(stage, { client });
  }

  const keys = await listKeys(stage, {});
  const keysOfAcme = await listKeys(stage, { client: 'acme' });

  expect(keys).toMatchObject([{ client: 'initech' }, { client: 'globex' }, { client: 'acme' }]);
  expect(keysOfAcme).toStrictEqual(keys.slice(2));
  await expect(listKeys(stage, { client: 'umbrella' })).rejects.toThrow(
    new OperatorError('No client umbrella has a key of staging: list shows who has, issue gives one.'),
  );
});

describe('rotate', () => {
  it.each([
    ['lives as long as the old one was to live', { expires: '90d' }, {}, '2027-02-19T12:00:00Z'],
    ['never expires, as the old one never did', {}, {}, null],
    ['expires as it is told', { expires: '90d' }, { expires: '10d' }, '2026-12-01T12:00:00Z'],
    ['never expires where that is asked for', { expires: '90d' }, { expires: 'never' }, null],
  ])('keeps the old key for the overlap, and gives one that %s', async (_title, before, options, expires) => {
    const old = await issueKey(stage, { client: 'acme', note: 'till', ...before });
    later(day);

    const { issued, oldExpires } = await rotateKey(stage, old.keyId, { overlap: '7d', ...options });

    expect(issued.key).not.toBe(old.key);
    expect(oldExpires).toBe('2026-11-28T12:00:00Z');
    expect(await listKeys(stage, {})).toMatchObject([
      { keyId: issued.keyId, client: 'acme', expires, note: 'till', issuedBy: operatorArn },
      { keyId: old.keyId, expires: oldExpires, state: 'expiring', rotatedBy: operatorArn },
    ]);
  });

  it('ends the old key at once with no overlap, and never lengthens its life', async () => {
    const first = await issueKey(stage, { client: 'acme' });
    const second = await issueKey(stage, { client: 'acme', expires: '1d' });

    await rotateKey(stage, second.keyId, { overlap: '7d' });
    await rotateKey(stage, first.keyId, { overlap: '7d' });
    await rotateKey(stage, first.keyId, { overlap: '0s', expires: 'never' });

    expect(await verifyKey(stage, first.key)).toMatchObject({ state: 'expired' });
    expect(await verifyKey(stage, second.key)).toMatchObject({ expires: '2026-11-21T12:00:00Z' });
  });

  const overlap = '7d';

  it.each<[string, end: (keyId: string) => unknown, options: { overlap: string; expires?: string }, RegExp]>([
    ['is expired', () => later(day), { overlap }, /^The key \w+ is expired: issue acme a new one\.$/],
    ['is revoked', (keyId) => revokeKey(stage, keyId), { overlap }, /is revoked: issue acme a new one\.$/],
    [
      'was rotated, and may have had another end',
      (keyId) => rotateKey(stage, keyId, { overlap }),
      { overlap },
      /^The key \w+ was rotated before: say with --expires how long the new one lives\.$/,
    ],
    ['is to overlap up to a date', () => undefined, { overlap: '2027-06-30' }, /is no duration/],
    ['is to expire at no time', () => undefined, { overlap, expires: 'soon' }, /is no duration/],
  ])('refuses a key before anything is done when it %s', async (_title, end, options, message) => {
    const { keyId } = await issueKey(stage, { client: 'acme', expires: '1d' });
    await end(keyId);
    const items = await stage.items();

    await expect(rotateKey(stage, keyId, options)).rejects.toThrow(message);
    expect(await stage.items()).toStrictEqual(items);
  });
});

it('revoke takes one key back, for 90 days to be told since when and by whom, however often it is repeated', async () => {
  const { key, keyId } = await issueKey(stage, { client: 'acme', expires: '365d' });
  later(60);
  const other = await issueKey(stage, { client: 'acme' });
  const revoked = await revokeKey(stage, keyId);
  later(day);

  const again = await revokeKey(stage, keyId);

  expect(revoked).toMatchObject({ keyId, client: 'acme', state: 'revoked' });
  expect(again).toMatchObject({ keyId, revoked: '2026-11-20T12:01:00Z', revokedBy: operatorArn });
  expect(await listKeys(stage, {})).toMatchObject([{ keyId: other.keyId, state: 'active' }, again]);
  expect(await stage.items()).toContainEqual({
    ...{ keyHash: apiKeyHash(key), client: 'acme', createdAt: BigInt(now), issuedBy: operatorArn },
    ...{ expiresAt: BigInt(now + 365 * day), revokedAt: BigInt(now + 60), revokedBy: operatorArn },
    purgeAt: BigInt(now + 60 + 90 * day),
  });
  await expect(revokeKey(stage, '0123456789ab')).rejects.toThrow(
    new OperatorError('No key 0123456789ab of staging: list shows the keyIds.'),
  );
});

const key = generateApiKey('staging');
const mistyped = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;

it.each([
  ['a key with its scheme', `Bearer ${key}`, 'That is no API key: it does not have the form of one.'],
  ['a mistyped key', mistyped, 'That key is mistyped: its checksum does not hold.'],
  ['a key of another stage', generateApiKey('production'), 'That is a key of production, not of staging.'],
  [
    'a key that was never issued',
    key,
    `The key ${keyIdOf(apiKeyHash(key))} is unknown to staging: it was never issued here.`,
  ],
])('verify refuses %s', async (_title, text, message) => {
  await expect(verifyKey(stage, text)).rejects.toThrow(new OperatorError(message));
});
