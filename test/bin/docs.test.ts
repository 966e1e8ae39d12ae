import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { temporaryDirectory } from '../support/e2e/temporary-file.ts';
import { ProjectCopy } from '../support/local/project-copy.ts';

// The stages of the tests have neither a domain nor a contact.
const copy = new ProjectCopy();
copy.edit(
  'infra/settings/stages.ts',
  /const records = \{[\s\S]*?^\} satisfies/m,
  'const records = { staging: {}, production: {} } satisfies',
);
afterAll(() => copy.remove());

const run = (...args: readonly string[]) =>
  spawnSync(process.execPath, ['bin/docs.ts', ...args], { cwd: copy.directory, encoding: 'utf8' });

it('npm run docs needs a domain or a base URL', () => {
  const { status, stderr } = run('--stage', 'staging');

  expect(stderr).toBe(
    'error: staging has no domain in infra/settings/stages.ts: add it there, or pass --base-url.\n',
  );
  expect(status).toBe(1);
});

it('npm run docs writes the page and its description into a new directory', () => {
  const output = join(temporaryDirectory(), 'new');

  const { stdout, stderr } = run('--base-url', 'https://pets.example/v1', '--output', output);

  expect(stderr).toBe('warning: production has no contact in infra/settings/stages.ts.\n');
  expect(stdout).toBe(`Wrote ${join(output, 'index.html')} and openapi.json.\n`);
  expect(readFileSync(join(output, 'index.html'), 'utf8')).toContain('https://pets.example/v1');
  const { servers } = JSON.parse(readFileSync(join(output, 'openapi.json'), 'utf8'));
  expect(servers).toMatchObject([{ url: 'https://pets.example/v1' }]);
});
