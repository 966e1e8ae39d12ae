import { beforeEach, describe, expect, it, vi } from 'vitest';
import { issueKey, listKeys, revokeKey, rotateKey } from '../../../bin/keys/commands.ts';
import { copyRevocations } from '../../../bin/keys/copy-revocations.ts';
import { day, now, openTestStage } from '../../support/keys/test-stage.ts';

const stage = await openTestStage();
const nothing = { revoked: [], expiring: [], lost: [], unrecorded: [] };

let keyId: string;
beforeEach(async () => {
  ({ keyId } = await issueKey(stage, { client: 'acme', expires: '365d' }));
});

describe('copyRevocations, a day after the restore point', () => {
  /** Restores the table as it is now, under another name, and waits for a day. */
  async function restore() {
    const keys = stage.keysOf(await stage.createTable('keyHash', await stage.items()));
    vi.setSystemTime((now + day) * 1000);
    return { ...stage, keys };
  }

  it('revokes a key revoked since', async () => {
    const restored = await restore();
    await revokeKey(stage, keyId);
    vi.setSystemTime((now + 2 * day) * 1000);

    expect(await copyRevocations(restored, stage.keys)).toStrictEqual({ ...nothing, revoked: [keyId] });
    expect(await listKeys(restored)).toMatchObject([{ keyId, revoked: '2026-11-21T12:00:00Z' }]);
    expect(await copyRevocations(restored, stage.keys)).toStrictEqual(nothing);
  });

  it('copies the expiry of a key rotated since', async () => {
    const restored = await restore();
    const { issued } = await rotateKey(stage, keyId, { overlap: '7d' });
    const lost = [issued.keyId];

    const copied = await copyRevocations(restored, stage.keys);

    expect(copied).toStrictEqual({ ...nothing, expiring: [keyId], lost });
    expect(await listKeys(restored)).toMatchObject([{ keyId, expires: '2026-11-28T12:00:00Z' }]);
    expect(await copyRevocations(restored, stage.keys)).toMatchObject({ ...nothing, lost });
  });
});

describe('copyRevocations, from a table without a record of a valid key', () => {
  const previousTable = async (items: Parameters<typeof stage.createTable>[1]) =>
    stage.keysOf(await stage.createTable('keyHash', items));

  it('lists the key, and leaves it valid', async () => {
    const copied = await copyRevocations(stage, await previousTable([]));

    expect(copied).toStrictEqual({ ...nothing, unrecorded: [keyId] });
    expect(await listKeys(stage)).toMatchObject([{ keyId, state: 'active' }]);
  });

  it('ignores keys that are no longer valid', async () => {
    await revokeKey(stage, keyId);
    const expired = { keyHash: '0'.repeat(64), client: 'acme', createdAt: now, expiresAt: now };

    expect(await copyRevocations(stage, await previousTable([expired]))).toStrictEqual(nothing);
  });

  it('treats a damaged row as a record only if it was revoked', async () => {
    const [{ keyHash } = {}] = await stage.items();
    const damaged = await previousTable([{ keyHash, client: 'acme' }]);
    const revoked = await previousTable([{ keyHash, revokedAt: now }]);

    expect(await copyRevocations(stage, damaged)).toMatchObject({ unrecorded: [keyId] });
    expect(await copyRevocations(stage, revoked)).toStrictEqual({ ...nothing, revoked: [keyId] });
  });

  it('rejects the restored table', async () => {
    await expect(copyRevocations(stage, stage.keys)).rejects.toThrow(
      `Both tables are ${stage.keys.tableName}: pass the restored one with --table.`,
    );
  });
});
