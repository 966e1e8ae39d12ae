import { inspect } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { issueKey, listKeys, revokeKey, rotateKey, verifyKey } from '../../../bin/keys/commands.ts';
import { OperatorError } from '../../../bin/keys/operator-error.ts';
import { apiKeyHash, generateApiKey, keyIdOf } from '../../../shared/contract/api-key.ts';
import { openTestStages, type TestStage } from '../../support/keys/test-stages.ts';

const now = Date.parse('2026-11-20T12:00:00Z') / 1000;
const day = 24 * 60 * 60;

let stage: TestStage;
openTestStages(now, (opened) => {
  stage = opened;
});

/** Sets the clock to some seconds from the start of the test. */
const later = (seconds: number) => vi.setSystemTime((now + seconds) * 1000);

describe('issue', () => {
  it('gives the key, which never expires unless it is told to', async () => {
    const issued = await issueKey(stage, { client: 'acme' });

    expect(issued).toStrictEqual({
      key: expect.stringMatching(/^petstore_staging_[0-9A-Za-z]{38}$/),
      keyId: keyIdOf(apiKeyHash(issued.key)),
      client: 'acme',
      expires: null,
    });
  });

  it.each([
    ['after a duration', '90d', '2027-02-18T12:00:00Z'],
    ['on a date', '2027-06-30', '2027-06-30T00:00:00Z'],
  ])('lets it expire %s', async (_title, expires, instant) => {
    const issued = await issueKey(stage, { client: 'acme', expires });

    expect(issued.expires).toBe(instant);
    expect(await listKeys(stage, {})).toMatchObject([{ expires: instant }]);
  });

  it.each(['a', '0', 'acme-2', 'a'.repeat(63)])('takes the client %s', async (client) => {
    await issueKey(stage, { client });

    expect(await listKeys(stage, { client })).toMatchObject([{ client }]);
  });

  it.each(['', 'Acme', 'acme corp', '-acme', 'acme-', 'acme_corp', 'acmé', 'acme\n', 'a'.repeat(64)])(
    'refuses the client %j',
    async (client) => {
      await expect(issueKey(stage, { client })).rejects.toThrow(
        new OperatorError(
          `"${client}" is no client: write lower-case letters, digits and hyphens, such as acme.`,
        ),
      );
      expect(await stage.items()).toStrictEqual([]);
    },
  );

  it.each(['2027-02-30', '2026-11-19', 'soon', '999999999d'])('refuses to expire %s', async (expires) => {
    await expect(issueKey(stage, { client: 'acme', expires })).rejects.toThrow(OperatorError);
    expect(await stage.items()).toStrictEqual([]);
  });
});

describe('list', () => {
  it('tells of each key, the newest first', async () => {
    const old = await issueKey(stage, { client: 'acme', expires: '90d', note: 'till' });
    later(60);
    const young = await issueKey(stage, { client: 'globex' });

    const keys = await listKeys(stage, {});

    expect(keys).toStrictEqual([
      {
        keyId: young.keyId,
        client: 'globex',
        created: '2026-11-20T12:01:00Z',
        expires: null,
        state: 'active',
        note: null,
      },
      {
        keyId: old.keyId,
        client: 'acme',
        created: '2026-11-20T12:00:00Z',
        expires: '2027-02-18T12:00:00Z',
        state: 'active',
        note: 'till',
      },
    ]);
  });

  it('tells what each key is good for now', async () => {
    const { keyId } = await issueKey(stage, { client: 'acme', expires: '15d' });
    const stateAfter = async (seconds: number) => {
      later(seconds);
      return (await listKeys(stage, {})).map(({ state }) => state);
    };

    expect(await stateAfter(0)).toStrictEqual(['active']);
    expect(await stateAfter(day)).toStrictEqual(['expiring']);
    expect(await stateAfter(15 * day)).toStrictEqual(['expired']);
    await revokeKey(stage, keyId);
    expect(await stateAfter(16 * day)).toStrictEqual(['revoked']);
  });

  it('tells of the keys of one client', async () => {
    await issueKey(stage, { client: 'acme' });
    const { keyId } = await issueKey(stage, { client: 'globex' });

    expect(await listKeys(stage, { client: 'globex' })).toMatchObject([{ keyId }]);
  });

  it('is empty for a stage without keys', async () => {
    expect(await listKeys(stage, {})).toStrictEqual([]);
  });

  it('refuses a client that has no key', async () => {
    await issueKey(stage, { client: 'acme' });

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

    expect(issued).toMatchObject({ client: 'acme', expires: null });
    expect(issued.key).not.toBe(old.key);
    expect(oldExpires).toBe('2026-11-27T12:01:00Z');
    expect(await listKeys(stage, {})).toMatchObject([
      { keyId: issued.keyId, client: 'acme', expires: null, state: 'active', note: 'till' },
      { keyId: old.keyId, client: 'acme', expires: oldExpires, state: 'expiring', note: 'till' },
    ]);
    expect(await stage.items()).toContainEqual(
      expect.objectContaining({
        keyHash: apiKeyHash(old.key),
        purgeAt: BigInt(now + 60 + 97 * day),
      }),
    );
  });

  it('lets the new key expire where that is asked for', async () => {
    const old = await issueKey(stage, { client: 'acme', expires: '90d' });

    const { issued } = await rotateKey(stage, old.keyId, { overlap: '7d', expires: '90d' });

    expect(issued.expires).toBe('2027-02-18T12:00:00Z');
    expect(await verifyKey(stage, issued.key)).toMatchObject({ expires: issued.expires });
  });

  it('refuses a malformed expiry before anything is done', async () => {
    const { keyId } = await issueKey(stage, { client: 'acme' });

    const rotated = rotateKey(stage, keyId, { overlap: '7d', expires: 'soon' });

    await expect(rotated).rejects.toThrow(OperatorError);
    expect(await listKeys(stage, {})).toMatchObject([{ keyId, expires: null }]);
  });

  it('ends the old key at once with no overlap', async () => {
    const old = await issueKey(stage, { client: 'acme' });

    await rotateKey(stage, old.keyId, { overlap: '0s' });

    expect(await verifyKey(stage, old.key)).toMatchObject({ state: 'expired' });
  });

  it('never lengthens the life of the old key', async () => {
    const old = await issueKey(stage, { client: 'acme', expires: '1d' });

    const { oldExpires } = await rotateKey(stage, old.keyId, { overlap: '7d' });

    expect(oldExpires).toBe('2026-11-21T12:00:00Z');
    expect(await verifyKey(stage, old.key)).toMatchObject({ expires: oldExpires });
  });

  it('refuses a key that is expired', async () => {
    const { keyId } = await issueKey(stage, { client: 'acme', expires: '1d' });
    later(day);

    await expect(rotateKey(stage, keyId, { overlap: '7d' })).rejects.toThrow(
      new OperatorError(`The key ${keyId} is expired: issue acme a new one.`),
    );
    expect(await stage.items()).toHaveLength(1);
  });

  it('refuses a key that is revoked', async () => {
    const { keyId } = await issueKey(stage, { client: 'acme' });
    await revokeKey(stage, keyId);

    await expect(rotateKey(stage, keyId, { overlap: '7d' })).rejects.toThrow(
      new OperatorError(`The key ${keyId} is revoked: issue acme a new one.`),
    );
    expect(await stage.items()).toHaveLength(1);
  });

  it.each(['', '7', '2027-06-30', '-1d', '999999999d'])('refuses the overlap %j', async (overlap) => {
    const { keyId } = await issueKey(stage, { client: 'acme' });

    await expect(rotateKey(stage, keyId, { overlap })).rejects.toThrow(OperatorError);
    expect(await stage.items()).toHaveLength(1);
  });

  it('refuses a keyId that no key has', async () => {
    await expect(rotateKey(stage, '0123456789ab', { overlap: '7d' })).rejects.toThrow(
      new OperatorError('No key 0123456789ab of staging: list shows the keyIds.'),
    );
  });
});

describe('revoke', () => {
  it('takes a key back, and leaves it listed for 90 days', async () => {
    const { keyId } = await issueKey(stage, { client: 'acme', expires: '365d' });
    later(60);

    const revoked = await revokeKey(stage, keyId);

    expect(revoked).toMatchObject({ keyId, client: 'acme', state: 'revoked' });
    expect(await listKeys(stage, {})).toStrictEqual([revoked]);
    expect(await stage.items()).toMatchObject([
      { revokedAt: BigInt(now + 60), purgeAt: BigInt(now + 60 + 90 * day) },
    ]);
  });

  it('leaves the client its other keys', async () => {
    const { keyId } = await issueKey(stage, { client: 'acme' });
    const other = await issueKey(stage, { client: 'acme' });

    await revokeKey(stage, keyId);

    expect(await verifyKey(stage, other.key)).toMatchObject({ state: 'active' });
  });

  it('keeps the first instant when it is repeated', async () => {
    const { keyId } = await issueKey(stage, { client: 'acme' });
    await revokeKey(stage, keyId);
    const once = await stage.items();
    later(day);

    const again = await revokeKey(stage, keyId);

    expect(again).toMatchObject({ keyId, state: 'revoked' });
    expect(await stage.items()).toStrictEqual(once);
  });

  it.each(['', '0123456789ab', 'acme'])('refuses %j, which no key has for its keyId', async (keyId) => {
    await issueKey(stage, { client: 'acme' });

    await expect(revokeKey(stage, keyId)).rejects.toThrow(
      new OperatorError(`No key ${keyId} of staging: list shows the keyIds.`),
    );
  });
});

describe('verify', () => {
  it('tells which key a key is', async () => {
    const { key, keyId } = await issueKey(stage, { client: 'acme', expires: '1d', note: 'till' });

    expect(await verifyKey(stage, key)).toStrictEqual({
      keyId,
      client: 'acme',
      created: '2026-11-20T12:00:00Z',
      expires: '2026-11-21T12:00:00Z',
      state: 'expiring',
      note: 'till',
    });
  });

  const key = generateApiKey('staging');
  const mistyped = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;

  it.each([
    ['nothing', '', 'That is no API key: it does not have the form of one.'],
    ['a key with its scheme', `Bearer ${key}`, 'That is no API key: it does not have the form of one.'],
    ['a key that is cut off', key.slice(0, -1), 'That is no API key: it does not have the form of one.'],
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

describe('the table', () => {
  it('never holds a key, whatever becomes of it', async () => {
    const first = await issueKey(stage, { client: 'acme', expires: '90d', note: 'till' });
    const { issued: second } = await rotateKey(stage, first.keyId, { overlap: '7d' });
    await revokeKey(stage, second.keyId);

    const table = inspect(await stage.items());

    for (const { key } of [first, second]) {
      expect(table).toContain(apiKeyHash(key));
      expect(table).not.toContain(key.slice(-38, -6));
    }
  });
});
