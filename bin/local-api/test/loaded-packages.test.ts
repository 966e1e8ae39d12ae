import { build } from 'esbuild';
import { expect, it } from 'vitest';

it('the local API loads no part of the CDK', async () => {
  const { metafile } = await build({
    entryPoints: ['bin/local/local.ts'],
    packages: 'external',
    platform: 'node',
    format: 'esm',
    bundle: true,
    metafile: true,
    write: false,
    outdir: '.',
  });

  const [{ imports } = { imports: [] }] = Object.values(metafile.outputs);
  const packages = imports.map(({ path }) => path);
  expect(packages).toContain('chokidar');
  expect(packages.filter((name) => /^(aws-cdk-lib|constructs)(\/|$)/.test(name))).toEqual([]);
});
