import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const files = globSync('{bin,functions,infra,shared}/**/*.*');

/** Returns the folders that a folder's files import from, types included. */
const importedBy = (folder: string) =>
  files
    .filter((file) => dirname(file) === folder)
    .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/(?:from|import\() ?'(\.[^']+)'/g)])
    .map(([, path = '']) => dirname(join(folder, path)))
    .filter((imported) => imported !== folder);

/** Returns every folder that a folder imports from, directly or indirectly. */
function reachedFrom(folder: string): ReadonlySet<string> {
  const reached = new Set(importedBy(folder));
  for (const next of reached) for (const imported of importedBy(next)) reached.add(imported);
  return reached;
}

describe('every folder', () => {
  const folders = [...Map.groupBy(files, (file) => dirname(file))];

  it.each(folders)('%s is in no import cycle', (folder) => {
    expect(reachedFrom(folder)).not.toContain(folder);
  });

  it.each(folders)('%s holds at most a dozen files', (_folder, held) => {
    expect(held.length).toBeLessThanOrEqual(12);
  });
});

/** Returns every package that a file imports, directly or indirectly. */
function packagesOf(entry: string): ReadonlySet<string> {
  const reached = new Set([entry]);
  const packages = new Set<string>();
  for (const file of reached) {
    const text = readFileSync(file, 'utf8').replaceAll(/^import type .*$/gm, '');
    for (const [, path = ''] of text.matchAll(/(?:from|import\() ?'([^']+)'/g)) {
      if (path.startsWith('.')) reached.add(join(dirname(file), path));
      else packages.add(path);
    }
  }
  return packages;
}

it('the local API loads no part of the CDK', () => {
  const packages = [...packagesOf('bin/local.ts')];

  expect(packages).toContain('esbuild');
  expect(packages.filter((name) => /^(aws-cdk-lib|constructs)(\/|$)/.test(name))).toEqual([]);
});
