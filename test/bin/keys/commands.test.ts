import { describe, expect, it, vi } from 'vitest';
import { issueKey, listKeys, revokeKey, rotateKey, verifyKey } from '../../../bin/keys/commands.ts';
import { OperatorError } from '../../../bin/keys/operator-error.ts';
import { operatorArn } from '../../../infra/local/template/account.ts';
import { apiKeyHash, generateApiKey, keyIdOf } from '../../../shared/contract/api-key.ts';
import { day, now, openTestStages, type TestStage } from '../../support/keys/test-stages.ts';

let stage: TestStage;
openTestStages((opened) => {
  stage = opened;
});

/** Sets the clock to some seconds from the start of the test. */
const later = (seconds: number) => vi.setSystemTime((now + seconds) * 1000);

describe('issue', () => {
  it.each([
    ['never, unless it is told to', undefined, null],
    ['never, when that is said', 'never', null],
    ['after a duration', '90d', '2027-02-18T12:00:00Z'],
  ])('gives a key that expires %s', async (_title, expires, instant) => {
    const issued = await issueKey(stage, { client: 'acme', ...(expires && { expires }) });

    expect(issued).toStrictEqual({
      key: expect.stringMatching(/^petstore_staging_[0-9A-Za-z]{38}$/),
      keyId: keyIdOf(apiKeyHash(issued.key)),
      client: 'acme',
      expires: instant,
    });
    expect(await listKeys(stage, {})).toMatchObject([{ expires: instant, issuedBy: operatorArn }]);
  });

  it('takes a slug for a client, and refuses anything else before anything is done', async () => {
    for (const client of ['', 'Acme', '-acme', 'acme-', 'acme_corp', 'a'.repeat(64)]) {
      await expect(issueKey(stage, { client })).rejects.toThrow(
        new OperatorError(
          `"${client}" is no client: write lower-case letters, digits and hyphens, such as acme.`,
        ),
      );
    }
    await expect(issueKey(stage, { client: 'acme', expires: 'soon' })).rejects.toThrow(OperatorError);
    expect(await stage.items()).toStrictEqual([]);

    for (const client of ['0', 'acme-2', 'a'.repeat(63)]) {
      expect(await issueKey(stage, { client })).toMatchObject({ client });
    }
  });
});

describe('list', () => {
  it('tells of each key, the newest first, or of those of a client', async () => {
    const old = await issueKey(stage, { client: 'acme', expires: '90d', note: 'till' });
    later(60);
    const young = await issueKey(stage, { client: 'globex' });
    later(120);
    const youngest = await issueKey(stage, { client: 'globex' });

    const keys = await listKeys(stage, {});
    const keysOfAcme = await listKeys(stage, { client: 'acme' });

    expect(keys).toMatchObject([
      { keyId: youngest.keyId },
      { keyId: young.keyId, client: 'globex', expires: null },
      { keyId: old.keyId, client: 'acme', expires: '2027-02-18T12:00:00Z', note: 'till' },
    ]);
    expect(keysOfAcme).toStrictEqual(keys.slice(2));
  });

  it('is empty for a stage without keys, and refuses a client that has none', async () => {
    expect(await listKeys(stage, {})).toStrictEqual([]);
    await expect(listKeys(stage, { client: 'globex' })).rejects.toThrow(
      new OperatorError('No client globex has a key of staging: list shows who has, issue gives one.'),
    );
  });
});

describe('rotate', () => {
  it('gives the client a new key, and keeps the old one good for the overlap', async () => {
    const old = await issueKey(stage, { client: 'acme', note: 'till' });
    later(60);

    const { issued, oldExpires } = await rotateKey(stage, old.keyId, { overlap: '7d' });

    expect(issued.key).not.toBe(old.key);
    expect(oldExpires).toBe('2026-11-27T12:01:00Z');
    expect(await listKeys(stage, {})).toMatchObject([
      { keyId: issued.keyId, client: 'acme', expires: null, note: 'till', issuedBy: operatorArn },
      { keyId: old.keyId, expires: oldExpires, state: 'expiring', rotatedBy: operatorArn },
    ]);
  });

  it.each([
    ['keeps the life span of the old key', undefined, '2027-02-19T12:00:00Z'],
    ['keeps another one where that is asked for', '10d', '2026-12-01T12:00:00Z'],
    ['keeps none where that is asked for', 'never', null],
  ])('%s', async (_title, expires, instant) => {
    const old = await issueKey(stage, { client: 'acme', expires: '90d' });
    later(day);

    const { issued } = await rotateKey(stage, old.keyId, { overlap: '7d', ...(expires && { expires }) });

    expect(issued.expires).toBe(instant);
    expect(await verifyKey(stage, issued.key)).toMatchObject({ expires: instant });
  });

  it('does not guess the life span of a key whose own end was moved by a rotation before', async () => {
    const { keyId } = await issueKey(stage, { client: 'acme' });
    await rotateKey(stage, keyId, { overlap: '7d' });

    await expect(rotateKey(stage, keyId, { overlap: '7d' })).rejects.toThrow(
      new OperatorError(
        `The key ${keyId} was rotated before: say with --expires how long the new one lives.`,
      ),
    );
    const { issued } = await rotateKey(stage, keyId, { overlap: '7d', expires: 'never' });
    expect(issued.expires).toBeNull();
  });

  it('ends the old key at once with no overlap, and never lengthens its life', async () => {
    const first = await issueKey(stage, { client: 'acme' });
    const second = await issueKey(stage, { client: 'acme', expires: '1d' });

    await rotateKey(stage, first.keyId, { overlap: '0s' });
    await rotateKey(stage, second.keyId, { overlap: '7d' });

    expect(await verifyKey(stage, first.key)).toMatchObject({ state: 'expired' });
    expect(await verifyKey(stage, second.key)).toMatchObject({ expires: '2026-11-21T12:00:00Z' });
  });

  it.each(['expired', 'revoked'])('refuses a key that is %s', async (state) => {
    const { keyId } = await issueKey(stage, { client: 'acme', expires: '1d' });
    if (state === 'expired') later(day);
    else await revokeKey(stage, keyId);

    await expect(rotateKey(stage, keyId, { overlap: '7d' })).rejects.toThrow(
      new OperatorError(`The key ${keyId} is ${state}: issue acme a new one.`),
    );
    expect(await stage.items()).toHaveLength(1);
  });

  it.each([{ overlap: '2027-06-30' }, { overlap: '7d', expires: 'soon' }])(
    'refuses %o before anything is done',
    async (options) => {
      const { keyId } = await issueKey(stage, { client: 'acme' });

      await expect(rotateKey(stage, keyId, options)).rejects.toThrow(OperatorError);
      expect(await listKeys(stage, {})).toMatchObject([{ keyId, expires: null }]);
    },
  );
});

describe('revoke', () => {
  it('takes one key back, and tells since when and by whom, however often it is repeated', async () => {
    const { keyId } = await issueKey(stage, { client: 'acme', expires: '365d' });
    const other = await issueKey(stage, { client: 'acme' });
    later(60);
    const revoked = await revokeKey(stage, keyId);
    later(day);

    const again = await revokeKey(stage, keyId);

    const keys = await listKeys(stage, {});
    expect(revoked).toMatchObject({ keyId, client: 'acme', state: 'revoked' });
    expect(again).toMatchObject({ keyId, state: 'revoked', revoked: '2026-11-20T12:01:00Z' });
    expect(keys.find((key) => key.keyId === keyId)).toMatchObject({ ...again, revokedBy: operatorArn });
    expect(keys.find((key) => key.keyId === other.keyId)).toMatchObject({ state: 'active' });
  });

  it('refuses a keyId that no key has', async () => {
    await expect(revokeKey(stage, '0123456789ab')).rejects.toThrow(
      new OperatorError('No key 0123456789ab of staging: list shows the keyIds.'),
    );
  });
});

describe('verify', () => {
  it('tells which key a key is', async () => {
    const { key, keyId } = await issueKey(stage, { client: 'acme', expires: '1d', note: 'till' });

    const verified = { keyId, client: 'acme', state: 'expiring', note: 'till' };
    expect(await verifyKey(stage, key)).toMatchObject(verified);
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
  ])('refuses %s', async (_title, text, message) => {
    await expect(verifyKey(stage, text)).rejects.toThrow(new OperatorError(message));
  });
});
