import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiKey, baseUrl } from '../support/e2e/api-client.ts';

const run = promisify(execFile);
const npm = (args: readonly string[], cwd = '.') =>
  run('npm', [...args], { cwd, shell: process.platform === 'win32' });

/** The first TypeScript of a document. */
const sampleOf = (document: string) => /```ts\n(.+?)```/s.exec(readFileSync(document, 'utf8'))?.[1] ?? '';

describe('the package that npm run client builds', { timeout: 120_000 }, () => {
  const project = mkdtempSync(join(tmpdir(), 'pet-store-test-'));
  afterAll(() => rmSync(project, { recursive: true }));

  beforeAll(async () => {
    await npm(['run', 'client', '--', '--pack-destination', project]);
    const [tarball = ''] = readdirSync(project);
    writeFileSync(join(project, 'package.json'), '{"type":"module"}');
    // Its dependencies are there already, so that no registry is asked.
    const dependencies = ['ky', 'valibot'].map((name) => resolve('node_modules', name));
    await npm(
      ['install', '--offline', '--install-links', '--ignore-scripts', tarball, ...dependencies],
      project,
    );
    writeFileSync(join(project, 'readme.ts'), sampleOf('README.md'));
    writeFileSync(join(project, 'client.ts'), sampleOf('docs/client.md'));
  }, 120_000);

  it('has types that a strict project with nodenext compiles', async () => {
    const compilerOptions = {
      ...{ module: 'nodenext', moduleResolution: 'nodenext', target: 'es2023', lib: ['esnext', 'dom'] },
      ...{
        strict: true,
        noEmit: true,
        skipLibCheck: false,
        types: ['node'],
        typeRoots: [resolve('node_modules/@types')],
      },
    };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions }));

    const { stdout } = await run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', project]);

    expect(stdout).toBe('');
  });

  it('calls the API', async () => {
    const env = { BASE_URL: baseUrl, API_KEY: apiKey };

    const { stdout, stderr } = await run(process.execPath, ['readme.ts'], { cwd: project, env });

    expect(stdout).toMatch(/^\d+ Bella 9223372036854775807\n(\d+ .+ -?\d+\n)+/);
    expect(stderr).toBe('');
  });

  it('reports a rejected key', async () => {
    const env = { BASE_URL: baseUrl, API_KEY: 'none' };

    const { stderr } = await run(process.execPath, ['client.ts'], { cwd: project, env });

    expect(stderr).toMatch(/^401 unauthorized: A valid API key is required: .+ \(request [0-9a-f-]{36}\)\n$/);
  });

  it('has nothing of the service', () => {
    const installed = join(project, 'node_modules', 'pet-store-client');

    const folders = readdirSync(installed, { withFileTypes: true }).filter((entry) => entry.isDirectory());

    expect(folders.map(({ name }) => name)).toStrictEqual(['client', 'contract']);
    expect(
      Object.keys(JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')).dependencies),
    ).toStrictEqual(['ky', 'valibot']);
  });
});
