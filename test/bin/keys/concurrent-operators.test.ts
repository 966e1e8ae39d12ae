import { describe, expect, it, vi } from 'vitest';
import { issueKey, revokeKey, rotateKey, verifyKey } from '../../../bin/keys/commands.ts';
import { copyRevocations } from '../../../bin/keys/copy-revocations.ts';
import { day, now, openTestStage } from '../../support/keys/test-stage.ts';

const stage = await openTestStage();

/** The stage as another operator sees it, who acts after a command has read a key and before it writes. */
const interruptedBy = (act: () => Promise<unknown>) => ({
  ...stage,
  caller: async () => {
    await act();
    return stage.caller();
  },
});

describe('rotateKey, after another operator has', () => {
  it('expired the key, leaves it expired', async () => {
    const { key, keyId } = await issueKey(stage, { client: 'acme' });
    const interrupted = interruptedBy(() => rotateKey(stage, keyId, { overlap: '0s' }));

    const { old } = await rotateKey(interrupted, keyId, { overlap: '7d' });

    expect(old).toMatchObject({ keyId, expires: '2026-11-20T12:00:00Z', state: 'expired' });
    expect(await verifyKey(stage, key)).toMatchObject({ isValid: false });
  });

  it('revoked the key, leaves its revocation', async () => {
    const { keyId } = await issueKey(stage, { client: 'acme' });
    const interrupted = interruptedBy(() => revokeKey(stage, keyId));

    const { old } = await rotateKey(interrupted, keyId, { overlap: '7d' });

    expect(old).toMatchObject({ keyId, expires: null, state: 'revoked', rotatedBy: null });
    expect(await stage.items()).toContainEqual(
      expect.objectContaining({ revokedAt: BigInt(now), purgeAt: BigInt(now + 90 * day) }),
    );
  });
});

describe('revokeKey, after another operator has', () => {
  it('revoked the key, keeps the first time', async () => {
    const { keyId } = await issueKey(stage, { client: 'acme' });
    const interrupted = interruptedBy(async () => {
      vi.setSystemTime((now + day) * 1000);
      await revokeKey(stage, keyId);
    });

    const revoked = await revokeKey(interrupted, keyId);

    expect(revoked).toMatchObject({ revoked: '2026-11-21T12:00:00Z' });
  });

  it('deleted the key, does not recreate it', async () => {
    const { keyId } = await issueKey(stage, { client: 'acme' });

    await expect(revokeKey(interruptedBy(stage.clear), keyId)).rejects.toThrow(
      `The key ${keyId} was purged meanwhile: it is not valid any more.`,
    );
    expect(await stage.items()).toStrictEqual([]);
  });
});

it('copyRevocations leaves a key expired that another operator has expired meanwhile', async () => {
  const { keyId } = await issueKey(stage, { client: 'acme' });
  const previous = stage.keysOf(await stage.createTable('keyHash', await stage.items()));
  await rotateKey({ ...stage, keys: previous }, keyId, { overlap: '7d' });
  const interrupting = {
    tableName: previous.tableName,
    list: async () => {
      await rotateKey(stage, keyId, { overlap: '0s' });
      return previous.list();
    },
  };

  await copyRevocations(stage, interrupting);

  expect(await stage.items()).toContainEqual(
    expect.objectContaining({ expiresAt: BigInt(now), purgeAt: BigInt(now + 90 * day) }),
  );
});
