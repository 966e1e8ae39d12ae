import { globSync, readFileSync } from 'node:fs';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

it('the files of the pipeline whose changes operators review exist', () => {
  const lines = readFileSync('.github/CODEOWNERS', 'utf8').match(/^\/\S+(?= +@\S)/gm) ?? [];

  expect(lines).toContain('/.github/');
  expect(lines.filter((path) => globSync(`.${path}`).length === 0)).toEqual([]);
});

it('operators review what the app consists of, but for what the handlers share', async () => {
  const lines = readFileSync('.github/CODEOWNERS', 'utf8').match(/^\/\S+(?= +@\S+-operators$)/gm) ?? [];
  const { metafile } = await build({
    entryPoints: ['bin/pet-store.ts'],
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    write: false,
    metafile: true,
    logLevel: 'silent',
  });

  const others = Object.keys(metafile.inputs).filter(
    (path) => !lines.some((line) => (line.endsWith('/') ? `/${path}`.startsWith(line) : `/${path}` === line)),
  );
  expect(others.filter((path) => !path.startsWith('shared/'))).toEqual([]);
  expect(others).not.toContain('shared/service.ts');
});
