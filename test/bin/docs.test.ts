import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

const run = (...args: readonly string[]) =>
  spawnSync(process.execPath, ['bin/docs.ts', ...args], { encoding: 'utf8' });

it.each([
  [
    ['--stage', 'staging'],
    'staging has no domain in infra/settings/stages.ts: add it there, or pass --base-url.',
  ],
  [
    ['--base-url', 'https://pets.example/v1', '--out', 'docs'],
    'docs has other files: pass an empty directory, or one that does not exist.',
  ],
])('npm run docs rejects %j', (args, message) => {
  const { status, stderr } = run(...args);

  expect(stderr).toBe(`error: ${message}\n`);
  expect(status).toBe(1);
});
