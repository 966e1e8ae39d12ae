import { expect, it } from 'vitest';
import { apiKeyHash, generateApiKey } from '../../../shared/keys/api-key.ts';
import { now, openTestStage } from '../../keys/test/support/test-stage.ts';
import { localApiKey } from '../local-api-key.ts';

const stage = await openTestStage();

/** Returns the key of a start after one that kept a text as the key, and the last key that is kept. */
async function keyAfter(apiKey: string) {
  const values = new Map([['apiKey', apiKey]]);
  const key = await localApiKey(stage, values);
  return { key, kept: values.get('apiKey') };
}

const valid = { client: 'local', createdAt: now };

it('the key of the last start is used again', async () => {
  const key = generateApiKey('petstore_staging_');
  await stage.put({ keyHash: apiKeyHash(key), ...valid });

  expect(await keyAfter(key)).toStrictEqual({ key, kept: key });
  expect(await stage.items()).toHaveLength(1);
});

const ofProduction = generateApiKey('petstore_production_');
const mistyped = `${generateApiKey('petstore_staging_').slice(0, -6)}000000`;
const other = generateApiKey('petstore_staging_');
it.each<[title: string, key: string, row: Record<string, unknown> | undefined]>([
  ['is no key', 'letmein', valid],
  ['is of another stage', ofProduction, valid],
  ['has a wrong checksum', mistyped, valid],
  ['is unknown', other, undefined],
  ['was revoked', other, { ...valid, revokedAt: now - 1 }],
  ['has expired', other, { ...valid, expiresAt: now }],
])('another key is issued and kept if the kept one %s', async (_title, kept, row) => {
  if (row) await stage.put({ keyHash: apiKeyHash(kept), ...row });

  const started = await keyAfter(kept);

  expect(started.key).toMatch(/^petstore_staging_\w{38}$/);
  expect(started.key).not.toBe(kept);
  expect(started.kept).toBe(started.key);
  expect(await stage.keys.find(apiKeyHash(started.key))).toMatchObject({ client: 'local' });
});
