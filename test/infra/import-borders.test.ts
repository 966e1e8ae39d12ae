import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../support/e2e/temporary-file.ts';

const rejected = 'lint/style/noRestrictedImports';
const accepted = 'nothing';

it.each([
  ['tables', '../pets/pet.ts', rejected],
  ['tables', '../kennels/kennel.ts', rejected],
  ['http', '../service.ts', rejected],
  ['client', '../kennels/kennel.ts', rejected],
  ['client/calls', '../pet.ts', rejected],
  ['kennels', '../../infra/planted.ts', rejected],
  ['tables', '../http/planted.ts', accepted],
  ['client', '../paging/planted.ts', accepted],
  ['client/calls', '../../contract/planted.ts', accepted],
  ['kennels', '../pets/operations.ts', accepted],
])('if a file of shared/%s imports %s, the linter says %s', (folder, imported, says) => {
  const cwd = temporaryDirectory();
  for (const name of ['biome.json', '.gitignore']) copyFileSync(name, join(cwd, name));
  mkdirSync(join(cwd, 'shared', folder), { recursive: true });
  writeFileSync(join(cwd, 'shared', folder, 'planted.ts'), `export { planted } from '${imported}';\n`);

  const biome = [resolve('node_modules/@biomejs/biome/bin/biome'), 'lint', '.'];
  const { stderr } = spawnSync(process.execPath, biome, { cwd, encoding: 'utf8' });

  const [rule = 'nothing'] = /lint\/\w+\/\w+/.exec(stderr) ?? [];
  expect(rule).toBe(says);
});
