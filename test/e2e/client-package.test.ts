import { execFile, spawnSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { packageVersion } from '../../bin/cli/write-package.ts';
import { declarationsOf } from '../../bin/client/declarations.ts';
import { pageGuide } from '../../bin/reference/page-guide.ts';
import client from '../../shared/client/package.json' with { type: 'json' };
import type { Operation } from '../../shared/contract/operation.ts';
import { operations } from '../../shared/service.ts';
import { apiKey, baseUrl } from '../support/e2e/api-client.ts';
import { temporaryDirectory } from '../support/e2e/temporary-file.ts';
import { npm } from '../support/local/npm.ts';

const run = promisify(execFile);

/** Returns the first TypeScript in Markdown. */
const typescriptIn = (markdown: string) => /```ts\n(.+?)```/s.exec(markdown)?.[1] ?? '';

/** Compiles only if every type of the client is resolved: with `any`, nothing would be an error. */
const wrong = `import { PetStoreClient } from '${client.name}';
// @ts-expect-error
const api = new PetStoreClient({ baseUrl: '', apiKey: '', retries: 'never' });
const { pets: [pet] } = await api.listPets();
// @ts-expect-error
pet?.id satisfies string;
`;

/** Each call that the reference shows. */
const calls = `import { PetStoreClient } from '${client.name}';
const api = new PetStoreClient({ baseUrl: '', apiKey: '' });
${Object.values<Operation>(operations)
  .map(({ clientCall }) => `{ ${clientCall ?? ''} }`)
  .join('\n')}`;

describe('the package that npm run client builds', { timeout: 120_000 }, () => {
  const project = temporaryDirectory();
  const installed = join(project, 'node_modules', client.name);
  const samples = {
    'pets.mts': '',
    'quickstart.mts': typescriptIn(pageGuide({ baseUrl })),
    'calls.mts': calls,
    'wrong.mts': wrong,
  };

  let tarball = '';

  beforeAll(async () => {
    await npm(['run', 'client', '--', '--output', project]);
    [tarball = ''] = readdirSync(project);
    // As `npm init -y` writes it.
    writeFileSync(join(project, 'package.json'), '{"type":"commonjs"}');
    // Copied from this project, not fetched from a registry.
    cpSync('node_modules/valibot', join(project, 'node_modules/valibot'), { recursive: true });
    await npm(['install', '--offline', '--ignore-scripts', tarball], { cwd: project });
    samples['pets.mts'] = typescriptIn(readFileSync(join(installed, 'README.md'), 'utf8'));
    for (const [file, text] of Object.entries(samples)) writeFileSync(join(project, file), text);
  }, 120_000);

  it('lets a strict nodenext project compile every sample', async () => {
    const compilerOptions = {
      module: 'nodenext',
      target: 'es2023',
      lib: ['esnext', 'dom'],
      strict: true,
      noEmit: true,
      skipLibCheck: true,
      types: ['node'],
      typeRoots: [resolve('node_modules/@types')],
    };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions }));

    const tsc = run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', project]);
    // If it fails, its output has the errors.
    const { stdout } = await tsc.catch((error: { readonly stdout: string }) => error);

    expect(stdout).toBe('');
    expect(Object.values(samples)).not.toContain('');
  });

  it('calls the API', async () => {
    const env = { BASE_URL: baseUrl, API_KEY: apiKey };
    const { stdout, stderr } = await run(process.execPath, ['pets.mts'], { cwd: project, env });

    expect(stdout).toMatch(/^\d+ Bella 9223372036854775807\n\d+ /);
    expect(stderr).toBe('');
  });

  it('has the section about itself as its readme', () => {
    const readme = readFileSync(join(installed, 'README.md'), 'utf8');

    expect(readme).toMatch(/^# Pet Store client for TypeScript\n/);
    expect(readme).toContain(`\nnpm install ./${tarball}\n`);
    expect(readme).not.toContain('Python');
  });

  it('has the types of docs/client.d.ts', () => {
    const types = declarationsOf(installed, 'client/pet-store-client.d.ts');

    // Otherwise run: npm run client -- --types docs/client.d.ts
    expect(readFileSync('docs/client.d.ts', 'utf8')).toBe(types);
  });

  it('has a version of its own, before the release, with the commit', () => {
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'));

    expect(manifest.version).toMatch(/^\d+\.\d+\.\d+-dev\.(g[0-9a-f]{12}|gunknown)(\.dirty)?$/);
    expect(packageVersion('2.0.0', true)).toBe('2.0.0');
  });

  it('adds at most 8 kB to a compressed bundle', async () => {
    const entryPoints = [join(installed, 'client/pet-store-client.js')];
    const options = { bundle: true, minify: true, format: 'esm', write: false } as const;
    const { outputFiles } = await build({ ...options, entryPoints });

    expect(gzipSync(outputFiles[0]?.contents ?? '').length).toBeLessThan(8000);
  });

  it('contains no service code', () => {
    const folders = readdirSync(installed, { withFileTypes: true }).filter((entry) => entry.isDirectory());

    expect(folders.map(({ name }) => name)).toStrictEqual(['client', 'contract', 'paging', 'pets']);
  });
});

const python = process.platform === 'win32' ? 'python' : 'python3';
const hasPython = spawnSync(python, ['--version']).status === 0;

it.skipIf(!hasPython)(
  'the Python of docs/client.md creates pets, and prints each with all digits',
  async () => {
    const [, program = ''] = /```python\n(.+?)```/s.exec(readFileSync('docs/client.md', 'utf8')) ?? [];
    const run11 = program.replace('range(1000)', 'range(11)').replace('limit=100', 'limit=10');

    const env = { ...process.env, BASE_URL: baseUrl, API_KEY: apiKey };
    const names = Array.from({ length: 11 }, (_, number) => `Pet-${number}`);
    // A list can miss a new pet for about a second.
    await vi.waitFor(async () => {
      const { stdout } = await run(python, ['-c', run11], { env });
      const printed = stdout.match(/^\d+ Pet-\d+ 9223372036854775807$/gm)?.map((line) => line.split(' ')[1]);
      expect(printed?.toSorted()).toEqual(names.toSorted());
    }, 20_000);
  },
);
