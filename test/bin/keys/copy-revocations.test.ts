import { describe, expect, it, vi } from 'vitest';
import { issueKey, listKeys, revokeKey, rotateKey } from '../../../bin/keys/commands.ts';
import { copyRevocations } from '../../../bin/keys/copy-revocations.ts';
import { operatorArn } from '../../../infra/local/template/account.ts';
import { day, now, openTestStage } from '../../support/keys/test-stage.ts';

const stage = await openTestStage();

/** Sets the clock to some days after the start of the test. */
const afterDays = (days: number) => vi.setSystemTime((now + days * day) * 1000);
const issue = async (client: string) => (await issueKey(stage, { client, expires: '365d' })).keyId;
/** Restores the table as it is now, under another name. */
const restore = async () => ({
  ...stage,
  keys: stage.keysOf(await stage.createTable('keyHash', await stage.items())),
});

describe('copyRevocations, a day after the instant that a table is restored to', () => {
  it('revokes a key that was revoked since', async () => {
    const keyId = await issue('acme');
    const restored = await restore();
    afterDays(1);
    await revokeKey(stage, keyId);
    afterDays(2);

    const copied = await copyRevocations(restored, stage.keys);

    expect(copied).toStrictEqual({ revoked: [keyId], expiring: [], lost: [] });
    expect(await listKeys(restored, {})).toMatchObject([{ keyId, revoked: '2026-11-21T12:00:00Z' }]);
  });

  it('lets a key that was rotated since expire as early as before', async () => {
    const keyId = await issue('acme');
    const restored = await restore();
    afterDays(1);
    const { issued } = await rotateKey(stage, keyId, { overlap: '7d' });

    const copied = await copyRevocations(restored, stage.keys);

    expect(copied).toStrictEqual({ revoked: [], expiring: [keyId], lost: [issued.keyId] });
    expect(await listKeys(restored, {})).toMatchObject([{ keyId, expires: '2026-11-28T12:00:00Z' }]);
  });

  it('lists a key issued since as lost only while it is valid', async () => {
    const restored = await restore();
    await issueKey(stage, { client: 'acme', expires: '1s' });
    const valid = await issue('globex');
    afterDays(1);

    const copied = await copyRevocations(restored, stage.keys);

    expect(copied).toStrictEqual({ revoked: [], expiring: [], lost: [valid] });
  });

  it('changes nothing when it is repeated', async () => {
    const [revoked, rotated] = [await issue('acme'), await issue('globex')];
    const restored = await restore();
    await revokeKey(stage, revoked);
    await rotateKey(stage, rotated, { overlap: '7d' });
    await copyRevocations(restored, stage.keys);

    const copied = await copyRevocations(restored, stage.keys);

    expect(copied).toMatchObject({ revoked: [], expiring: [] });
  });
});

describe('copyRevocations, from a table without a record of a valid key', () => {
  const previousTable = async (items: Parameters<typeof stage.createTable>[1]) =>
    stage.keysOf(await stage.createTable('keyHash', items));

  it('rejects an emptied table without changing anything', async () => {
    const keyId = await issue('acme');
    const items = await stage.items();
    const emptied = await previousTable([]);

    await expect(copyRevocations(stage, emptied)).rejects.toThrow(
      `${emptied.tableName} has no record of these valid keys, which may have been revoked: ${keyId}. Nothing was changed: pass --missing revoke or --missing keep.`,
    );
    expect(await stage.items()).toStrictEqual(items);
  });

  it.each([
    ['revoke', { state: 'revoked', revokedBy: operatorArn }],
    ['keep', { state: 'active', revokedBy: null }],
  ] as const)('can be told to %s the key', async (missing, expected) => {
    const keyId = await issue('acme');

    const copied = await copyRevocations(stage, await previousTable([]), missing);

    const revoked = missing === 'revoke' ? [keyId] : [];
    expect(copied).toStrictEqual({ revoked, expiring: [], lost: [] });
    expect(await listKeys(stage, {})).toMatchObject([{ keyId, ...expected }]);
  });

  it('ignores keys that are no longer valid', async () => {
    const keyId = await issue('acme');
    await revokeKey(stage, keyId);

    const copied = await copyRevocations(stage, await previousTable([]));

    expect(copied).toStrictEqual({ revoked: [], expiring: [], lost: [] });
  });

  it('does not take a damaged row for a record', async () => {
    const keyId = await issue('acme');
    const [{ keyHash } = {}] = await stage.items();
    const damaged = await previousTable([{ keyHash, client: 'acme' }]);

    await expect(copyRevocations(stage, damaged)).rejects.toThrow(keyId);
  });

  it('copies the revocation of a damaged row', async () => {
    const keyId = await issue('acme');
    const [{ keyHash } = {}] = await stage.items();
    const damaged = await previousTable([{ keyHash, revokedAt: now }]);

    const copied = await copyRevocations(stage, damaged);

    expect(copied).toStrictEqual({ revoked: [keyId], expiring: [], lost: [] });
  });

  it('rejects the table itself', async () => {
    await expect(copyRevocations(stage, stage.keys)).rejects.toThrow(
      `${stage.keys.tableName} is both tables: pass the restored one with --table.`,
    );
  });
});
