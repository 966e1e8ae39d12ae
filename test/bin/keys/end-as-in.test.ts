import { expect, it, vi } from 'vitest';
import { issueKey, listKeys, revokeKey, rotateKey } from '../../../bin/keys/commands.ts';
import { endAsIn } from '../../../bin/keys/end-as-in.ts';
import { day, now, openTestStage } from '../../support/keys/test-stage.ts';

const stage = await openTestStage();

it('a restored table has its keys end as they had ended before, once', async () => {
  const issue = async (client: string, expires = '365d') =>
    (await issueKey(stage, { client, expires })).keyId;
  const [kept, revoked] = [await issue('kept'), await issue('revoked')];
  const [rotated, both] = [await issue('rotated'), await issue('both')];
  const restored = { ...stage, keys: stage.keysOf(await stage.createTable('keyHash', await stage.items())) };
  vi.setSystemTime((now + day) * 1000);
  const { issued: missing } = await rotateKey(stage, rotated, { overlap: '7d' });
  for (const keyId of [revoked, both]) await revokeKey(stage, keyId);
  await revokeKey(restored, both);
  const expired = await issue('expired', '1s');
  vi.setSystemTime((now + 2 * day) * 1000);

  const ended = await endAsIn(restored.keys, stage.keys);
  const again = await endAsIn(restored.keys, stage.keys);

  const before = await listKeys(stage, {});
  const gone = [missing.keyId, expired];
  expect(ended).toStrictEqual({ revoked: [revoked], expiring: [rotated], missing: [missing.keyId] });
  expect(again).toStrictEqual({ revoked: [], expiring: [], missing: [missing.keyId] });
  expect(await listKeys(restored, {})).toEqual(
    expect.arrayContaining(before.filter(({ keyId }) => !gone.includes(keyId))),
  );
  expect(before.find(({ keyId }) => keyId === kept)).toMatchObject({ state: 'active' });
});
