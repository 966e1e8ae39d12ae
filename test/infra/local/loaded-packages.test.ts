import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

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
