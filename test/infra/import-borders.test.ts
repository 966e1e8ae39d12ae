import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../support/e2e/temporary-file.ts';

/** Returns what the linter says of a file that imports another. */
function lint(file: string, imported: string): string {
  const cwd = temporaryDirectory();
  for (const name of ['biome.json', '.gitignore']) copyFileSync(name, join(cwd, name));
  mkdirSync(dirname(join(cwd, file)), { recursive: true });
  writeFileSync(join(cwd, file), `export { planted } from '${imported}';\n`);
  const biome = resolve('node_modules/@biomejs/biome/bin/biome');
  const { stdout, stderr } = spawnSync(process.execPath, [biome, 'lint', '.'], { cwd, encoding: 'utf8' });
  return stdout + stderr;
}

it.each([
  ['shared/tables/planted.ts', '../pets/pet.ts'],
  ['shared/tables/planted.ts', '../kennels/kennel.ts'],
  ['shared/http/planted.ts', '../service.ts'],
  ['shared/client/planted.ts', '../kennels/kennel.ts'],
  ['shared/kennels/planted.ts', '../../infra/planted.ts'],
])('the linter rejects that %s imports %s', (file, imported) => {
  expect(lint(file, imported)).toContain('lint/style/noRestrictedImports');
});

it.each([
  ['shared/tables/planted.ts', '../http/planted.ts'],
  ['shared/client/planted.ts', '../paging/planted.ts'],
  ['shared/kennels/planted.ts', '../pets/operations.ts'],
])('the linter accepts that %s imports %s', (file, imported) => {
  expect(lint(file, imported)).toMatch(/^Checked \d+ files? in /);
});
