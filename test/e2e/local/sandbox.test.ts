import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { placeholders } from '../../../bin/sandbox/packed-reference.ts';
import { listen } from '../../../infra/local/http/listen.ts';
import { openApiDocument } from '../../../infra/reference/document.ts';
import { referencePage } from '../../../infra/reference/page.ts';
import { stringifyJson } from '../../../shared/contract/json.ts';
import { apiClient } from '../../support/e2e/api-client.ts';
import { expectError } from '../../support/e2e/expect-error.ts';
import { temporaryDirectory } from '../../support/e2e/temporary-file.ts';
import { CommandProcess, runCommand } from '../../support/local/command-process.ts';
import { installSandbox } from '../../support/local/installed-sandbox.ts';

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
async function freePort(): Promise<number> {
  await using server = createServer();
  return await listen(server);
}

describe('the package that npm run sandbox builds', { timeout: 120_000 }, () => {
  const project = temporaryDirectory();
  let sandbox: Awaited<ReturnType<typeof installSandbox>>;

  beforeAll(async () => {
    sandbox = await installSandbox(project, inject('localApi').assembly);
  }, 120_000);

  /** Starts the sandbox in an empty directory. */
  async function start(flags: readonly string[], directory = temporaryDirectory(onTestFinished)) {
    const child = new CommandProcess(sandbox.command, ['--json', ...flags], { project: directory });
    onTestFinished(async () => void (await child.exit('SIGTERM')));
    const [ready] = await child.printed('stdout', /^.*\n/);
    const api: Record<'baseUrl' | 'apiKey' | 'docsUrl', string> = JSON.parse(ready);
    return { ...api, call: apiClient(api), stop: () => child.exit('SIGTERM') };
  }

  it('has at most 5 MB, no dependency, and licenses', () => {
    const manifest = JSON.parse(readFileSync(join(sandbox.installed, 'package.json'), 'utf8'));

    expect(statSync(sandbox.tarball).size).toBeLessThan(5_000_000);
    expect(readdirSync(join(project, 'node_modules'))).toEqual(
      expect.not.arrayContaining(['dynalite', 'aws-cdk-lib', 'typescript']),
    );
    expect(manifest).not.toHaveProperty('dependencies');
    expect(manifest).toMatchObject({ version, engines: { node: '>=24' } });
    expect(readFileSync(join(sandbox.installed, 'THIRD-PARTY-LICENSES'), 'utf8')).toMatch(
      /^dynalite \d\S+ \(Apache-2.0\)$/m,
    );
  });

  it('says with --help what it is, and of which version', async () => {
    const { stdout } = await runCommand(sandbox.command, ['--help']);

    expect(stdout).toMatch(/^Usage: pet-store-sandbox /);
    expect(stdout).toContain(`Serves version ${version} of the Pet Store API (/v1)`);
    expect(await runCommand(sandbox.command, ['--version'])).toMatchObject({ stdout: `${version}\n` });
  });

  it('says which Node it needs on an older one', async () => {
    const older = join(temporaryDirectory(onTestFinished), 'older.mjs');
    const versions = "{ value: { ...process.versions, node: '22.12.0' } }";
    writeFileSync(
      older,
      `Object.defineProperty(process, 'versions', ${versions}); await import(${JSON.stringify(sandbox.command)});`,
    );

    expect(await runCommand(older, [])).toStrictEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'error: The sandbox needs Node 24 or later, and this is Node 22.12.0 (https://nodejs.org).\n',
    });
  });

  it('carries out a create whose response it loses, and keeps it with the key', async () => {
    const directory = temporaryDirectory(onTestFinished);
    const port = `${await freePort()}`;
    const failing = await start(['--port', port, '--pets', '0', '--fail', '100%'], directory);

    const lost = await failing.call('POST', '/pets', { body: { name: 'Lost', categoryId: 1 } });
    const { exitCode } = await failing.stop();
    const { apiKey, call } = await start(['--port', port], directory);

    expectError(lost, 500, 'internal_error');
    expect(exitCode).toBe(0);
    expect(apiKey).toBe(failing.apiKey);
    expect((await call('GET', '/pets')).body).toMatchObject([{ name: 'Lost' }]);
    expect(readFileSync(join(directory, '.pet-store-sandbox', '.gitignore'), 'utf8')).toBe('*\n');
  });

  it('serves the reference that the sources have', async () => {
    const { baseUrl, apiKey, docsUrl } = await start(['--port', '0', '--pets', '0']);
    const read = async (path: string) => (await fetch(new URL(path, docsUrl))).text();

    expect(await read('/openapi.json')).toBe(stringifyJson(openApiDocument({ baseUrl }), 2));
    const page = await read('/');
    expect(page === (await referencePage({ baseUrl }, apiKey))).toBe(true);
    expect(page).not.toContain(placeholders.apiKey);
  });
});
