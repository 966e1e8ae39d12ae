import { expect, it, vi } from 'vitest';
import { issueKey, listKeys, revokeKey, rotateKey } from '../../../bin/keys/commands.ts';
import { endAsIn } from '../../../bin/keys/end-as-in.ts';
import { openTestStages, type TestStage } from '../../support/keys/test-stages.ts';

const now = Date.parse('2026-11-20T12:00:00Z') / 1000;
const day = 24 * 60 * 60;

let stage: TestStage;
openTestStages(now, (opened) => {
  stage = opened;
});

it('a restored table has its keys end as they had ended before, once', async () => {
  const [kept, revoked, rotated, both] = await Promise.all(
    ['kept', 'revoked', 'rotated', 'both'].map((client) => issueKey(stage, { client, expires: '365d' })),
  );
  const restored = await stage.copy();
  vi.setSystemTime((now + day) * 1000);
  const { issued: missing } = await rotateKey(stage, rotated?.keyId ?? '', { overlap: '7d' });
  await revokeKey(stage, revoked?.keyId ?? '');
  await revokeKey(stage, both?.keyId ?? '');
  await revokeKey(restored, both?.keyId ?? '');
  const expired = await issueKey(stage, { client: 'expired', expires: '1s' });
  vi.setSystemTime((now + 2 * day) * 1000);

  const ended = await endAsIn(restored.keys, stage.keys);
  const again = await endAsIn(restored.keys, stage.keys);

  const before = await listKeys(stage, {});
  const gone = [missing.keyId, expired.keyId];
  expect(ended).toStrictEqual({
    revoked: [revoked?.keyId],
    expiring: [rotated?.keyId],
    missing: [missing.keyId],
  });
  expect(again).toStrictEqual({ revoked: [], expiring: [], missing: [missing.keyId] });
  expect(await listKeys(restored, {})).toEqual(
    expect.arrayContaining(before.filter(({ keyId }) => !gone.includes(keyId))),
  );
  expect(before.find(({ keyId }) => keyId === kept?.keyId)).toMatchObject({ state: 'active' });
});
