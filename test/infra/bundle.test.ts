import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync, type Metafile } from 'esbuild';
import { afterAll, describe, expect, it } from 'vitest';
import { readDeployment } from '../../infra/local/deployment.ts';
import { synthesize } from '../../infra/local/synthesize.ts';

/** An operation of each AWS service that only credential providers call: SSO, SSO OIDC and STS. */
const credentialOperations = /GetRoleCredentials|CreateTokenCommand|AssumeRole/;

const stack = synthesize('staging');
const functions = [...readDeployment(stack).functions.values()];

afterAll(stack.dispose);

describe.each(functions)('the bundle of $name', ({ codeDirectory: directory }) => {
  const { inputs, outputs } = analyze(directory);

  it('is an index.mjs that exports the handler, and nothing but ES modules beside it', () => {
    const otherFiles = readdirSync(directory).filter((file) => !file.endsWith('.mjs'));

    expect(otherFiles).toEqual([]);
    expect(outputs['index.js']?.exports).toEqual(['handler']);
  });

  it('loads no SSO and no STS at start', () => {
    const loadedAtStart = importedAtStart(inputs);

    const loaders = loadedAtStart.filter((file) =>
      credentialOperations.test(readFileSync(join(directory, file), 'utf8')),
    );

    expect(loadedAtStart).toContain('index.mjs');
    expect(loaders).toEqual([]);
  });
});

function analyze(directory: string): Metafile {
  const { metafile } = buildSync({
    absWorkingDir: directory,
    entryPoints: ['index.mjs'],
    outdir: directory,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    metafile: true,
    write: false,
  });
  return metafile;
}

/** The modules that are loaded with index.mjs, as opposed to when some code of it runs. */
function importedAtStart(inputs: Metafile['inputs']): string[] {
  const found = new Set(['index.mjs']);
  for (const module of found) {
    for (const { path, kind, external } of inputs[module]?.imports ?? []) {
      if (kind === 'import-statement' && !external) found.add(path);
    }
  }
  return [...found];
}
