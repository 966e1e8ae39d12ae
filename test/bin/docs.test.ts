import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';

it.each([
  [
    ['--stage', 'staging'],
    'staging has no domain in infra/settings/stages.ts: pass --base-url, or add the domain there.',
  ],
  [
    ['--base-url', 'https://pets.example/v1', '--out', 'docs'],
    'docs has other files: pass --out with a new or empty directory.',
  ],
])('npm run docs rejects %j', (args, message) => {
  const { status, stderr } = spawnSync(process.execPath, ['bin/docs.ts', ...args], { encoding: 'utf8' });

  expect(stderr).toBe(`error: ${message}\n`);
  expect(status).toBe(1);
});
