import { expect, it } from 'vitest';
import { circularImport } from '../../../../infra/local/reload/circular-import.ts';

/** Returns what esbuild reports about files and their imports. */
const build = (
  files: Readonly<Record<string, readonly string[]>>,
  kind: 'import-statement' | 'dynamic-import',
) => ({
  inputs: Object.fromEntries(
    Object.entries(files).map(([file, imports]) => [
      file,
      { bytes: 0, imports: imports.map((path) => ({ path, kind })) },
    ]),
  ),
});

const cycle = {
  'a.ts': ['b.ts', 'c.ts'],
  'b.ts': [],
  'c.ts': ['d.ts'],
  'd.ts': ['b.ts', 'aa.ts'],
  'aa.ts': ['c.ts'],
};

it('finds the files of a circular import, without those that lead to it', () => {
  expect(circularImport(build(cycle, 'import-statement'))).toEqual(['aa.ts', 'c.ts', 'd.ts', 'aa.ts']);
});

it.each([
  ['several imports of a file', build({ 'a.ts': ['b.ts', 'c.ts'], 'b.ts': ['c.ts'] }, 'import-statement')],
  ['dynamic imports', build(cycle, 'dynamic-import')],
  ['packages', build({ 'node_modules/a.js': ['node_modules/a.js'] }, 'import-statement')],
])('finds none in %s', (_title, metafile) => {
  expect(circularImport(metafile)).toBeUndefined();
});
