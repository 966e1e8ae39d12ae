import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { temporaryDirectory } from '../e2e/temporary-file.ts';

export const rejected = 'lint/style/noRestrictedImports';
export const accepted = 'nothing';

/** Tests what the linter says if a file of a folder imports another. */
export function testBorders(imports: readonly (readonly [folder: string, imported: string, says: string])[]) {
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
}
