import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, it } from 'vitest';
import { localKey } from '../../../bin/local/local-key.ts';
import { apiKeyHash, generateApiKey } from '../../../shared/contract/api-key.ts';
import { temporaryFile } from '../../support/e2e/temporary-file.ts';
import { now, openTestStage } from '../../support/keys/test-stage.ts';

const stage = await openTestStage();

it('the local key is kept privately in a data directory, or else new each time', async () => {
  const file = temporaryFile('local-key-staging');
  const directory = dirname(file);

  const given = [await localKey(stage, directory), await localKey(stage, directory)];

  expect(new Set(given).size).toBe(1);
  expect(await stage.keys.list()).toHaveLength(1);
  expect(await localKey(stage)).not.toBe(await localKey(stage));
  expect(readdirSync(directory)).toStrictEqual(['local-key-staging']);
  // Windows has no modes.
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
});

it.each<[title: string, end: (key: string, file: string) => unknown]>([
  ['was revoked', (key) => stage.keys.revoke(apiKeyHash(key), now)],
  ['has expired', (key) => stage.keys.expire(apiKeyHash(key), now)],
  [
    'belongs to another client',
    async (_key, file) => writeFileSync(file, (await stage.keys.issue({ client: 'acme' })).key),
  ],
])('the local key is replaced if the saved one %s', async (_title, end) => {
  const file = temporaryFile('local-key-staging');
  const first = await localKey(stage, dirname(file));
  await end(first, file);
  const kept = readFileSync(file, 'utf8').trim();

  const second = await localKey(stage, dirname(file));
  const third = await localKey(stage, dirname(file));

  expect([first, kept]).not.toContain(second);
  expect(third).toBe(second);
  expect(await stage.keys.find(apiKeyHash(second))).toMatchObject({ client: 'local' });
});

const key = generateApiKey('staging');
const mistyped = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`;

it.each([
  ['is not shaped like a key', "x'; touch planted; '"],
  ['hides control characters', `\u001b[2J${key}`],
  ['has a wrong checksum', mistyped],
  ['belongs to another stage', generateApiKey('production')],
])('the local key is not a planted text that %s, even if the table has its hash', async (_title, planted) => {
  const file = temporaryFile('local-key-staging');
  writeFileSync(file, planted);
  await stage.put({ keyHash: apiKeyHash(planted), client: 'local', createdAt: now });

  const given = await localKey(stage, dirname(file));

  expect(given).not.toBe(planted);
  expect(readFileSync(file, 'utf8')).toBe(`${given}\n`);
});
