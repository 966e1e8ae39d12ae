import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { temporaryDirectory } from '../support/e2e/temporary-file.ts';

const rejected = 'lint/style/noRestrictedImports';
const accepted = 'nothing';

const imports = [
  ['shared/tables', '../pets/pet.ts', rejected],
  ['shared/tables', '../kennels/kennel.ts', rejected],
  ['shared/http', '../service.ts', rejected],
  ['shared/kennels', '../../infra/planted.ts', rejected],
  ['shared/kennels', '../../bin/cli/planted.ts', rejected],
  ['functions', '../bin/cli/planted.ts', rejected],
  ['infra/service', '../../bin/cli/planted.ts', rejected],
  ['infra/service', '../../shared/pets/planted.ts', rejected],
  ['bin/keys', '../../shared/pets/planted.ts', rejected],
  ['bin/keys', './test/support/planted.ts', rejected],
  ['bin/local', 'aws-cdk-lib/aws-lambda', rejected],
  ['bin/local-api', '../local/planted.ts', rejected],
  ['bin/local-api/http', '../../../infra/planted.ts', rejected],
  ['bin/client/package', '../../cli/planted.ts', rejected],
  ['bin/client/package', '../../../shared/http/planted.ts', rejected],
  ['bin/cli/calls', '../../../shared/pets/planted.ts', rejected],
  ['bin/cli/calls', '../../client/package/planted.ts', rejected],
  ['shared/tables', '../http/planted.ts', accepted],
  ['shared/kennels', '../pets/operations.ts', accepted],
  ['bin/keys/test', './support/planted.ts', accepted],
  ['bin/local-api/http', '../../cli/printable.ts', accepted],
  ['bin/client/package', '../../../shared/paging/planted.ts', accepted],
  ['bin/client/package', '../../cli/calls/planted.ts', accepted],
  ['bin/cli/calls', '../../../shared/contract/planted.ts', accepted],
] as const;

const places = imports.map(([folder, imported, says], index) => {
  return { path: `${folder}/planted-${index}.ts`, folder, imported, says };
});
let report = '';

beforeAll(() => {
  const cwd = temporaryDirectory();
  for (const name of ['.gitignore', 'biome.json', ...globSync('bin/*/biome.json')]) {
    cpSync(name, join(cwd, name), { recursive: true });
  }
  for (const { path, imported } of places) {
    mkdirSync(join(cwd, dirname(path)), { recursive: true });
    writeFileSync(join(cwd, path), `export { planted } from '${imported}';\n`);
  }
  const biome = [resolve('node_modules/@biomejs/biome/bin/biome'), 'lint', '--max-diagnostics=none', '.'];
  ({ stderr: report } = spawnSync(process.execPath, biome, { cwd, encoding: 'utf8' }));
});

it.each(places)('if a file of $folder imports $imported, the linter says $says', ({ path, says }) => {
  const [line = ''] = report.match(new RegExp(`^${path}.*`, 'm')) ?? [];

  expect(/lint\/\w+\/\w+/.exec(line)?.[0] ?? accepted).toBe(says);
});
