import { spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../test/support/e2e/temporary-file.ts';
import { ProjectCopy } from '../../cli/test/support/project-copy.ts';

// The stages of the tests have neither a domain nor a contact.
const copy = new ProjectCopy();
copy.edit(
  'infra/settings/stages.ts',
  /const records = \{[\s\S]*?^\} satisfies/m,
  'const records = { staging: {}, production: {} } satisfies',
);
afterAll(() => copy.remove());

const run = (...args: readonly string[]) =>
  spawnSync(process.execPath, ['bin/reference/docs.ts', ...args], { cwd: copy.directory, encoding: 'utf8' });

it.each([
  [
    ['--stage', 'staging'],
    'staging has no domain in infra/settings/stages.ts: add it there, or pass --base-url.',
  ],
  [
    ['--base-url', 'https://pets.example/v1', '--output', '.'],
    '. has other files: pass an empty directory, or one that does not exist.',
  ],
])('npm run docs rejects %j', (args, message) => {
  const { status, stderr } = run(...args);

  expect(stderr).toBe(`error: ${message}\n`);
  expect(status).toBe(1);
});

// Windows needs a privilege for links.
it.skipIf(process.platform === 'win32')('npm run docs replaces a symbolic link, not its target', () => {
  const output = temporaryDirectory();
  const mine = join(temporaryDirectory(), 'mine');
  writeFileSync(mine, 'mine');
  symlinkSync(mine, join(output, 'index.html'));

  const { stdout, stderr } = run('--base-url', 'https://pets.example/v1', '--output', output);

  expect(stderr).toBe(
    'warning: partners do not see whom to ask: set contact of production in infra/settings/stages.ts.\n',
  );
  expect(stdout).toBe(`Wrote ${join(output, 'index.html')} and openapi.json.\n`);
  expect(readFileSync(mine, 'utf8')).toBe('mine');
  expect(readFileSync(join(output, 'index.html'), 'utf8')).toContain('https://pets.example/v1');
  const { servers } = JSON.parse(readFileSync(join(output, 'openapi.json'), 'utf8'));
  expect(servers).toMatchObject([{ url: 'https://pets.example/v1' }]);
});
