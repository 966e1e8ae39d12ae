import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { stages } from '../../../../infra/settings/stages.ts';
import { stringifyJson } from '../../../../shared/contract/json.ts';
import { apiClient, apiKey, baseUrl } from '../../../../test/support/e2e/api-client.ts';
import { expectError } from '../../../../test/support/e2e/expect-error.ts';
import { temporaryDirectory } from '../../../../test/support/e2e/temporary-file.ts';
import { freePort } from '../../../../test/support/http/free-port.ts';
import { runCommand } from '../../../cli/test/support/command-process.ts';
import { spawnLocalApi } from '../../../local/test/support/spawn-local-api.ts';
import { openApiDocument } from '../../../reference/document.ts';
import { referencePage } from '../../../reference/page.ts';
import { placeholders } from '../../packed-reference.ts';
import { installSandbox } from '../support/installed-sandbox.ts';

/** Writes where a process and its threads connect to, and which names they look up. */
const watchConnections = (log: string) => `
import { appendFileSync } from 'node:fs';
import { subscribe } from 'node:diagnostics_channel';
const write = (...words) => appendFileSync(${JSON.stringify(log)}, words.join(' ') + '\\n');
subscribe('net.client.socket', ({ socket }) => {
  socket.on('lookup', (error, address, family, host) => write('lookup', host));
  socket.on('connectionAttempt', (address) => write('connect', address));
});`;

// The programs and commands of its document are tested daily.
describe('the package that npm run sandbox builds', () => {
  const project = temporaryDirectory();
  let sandbox: Awaited<ReturnType<typeof installSandbox>>;

  beforeAll(async () => {
    sandbox = await installSandbox(project, inject('localApi').assembly);
  });

  it('has at most 5 MB, no dependency, and licenses', () => {
    const manifest = JSON.parse(readFileSync(join(sandbox.installed, 'package.json'), 'utf8'));

    expect(statSync(sandbox.tarball).size).toBeLessThan(5_000_000);
    expect(readdirSync(join(project, 'node_modules'))).toEqual(
      expect.not.arrayContaining(['dynalite', 'aws-cdk-lib', 'typescript']),
    );
    expect(manifest).not.toHaveProperty('dependencies');
    expect(manifest).toMatchObject({ name: '@pet-store/sandbox', engines: { node: '>=24' } });
    expect(readFileSync(join(sandbox.installed, 'THIRD-PARTY-LICENSES'), 'utf8')).toMatch(
      /^dynalite \d\S+ \(Apache-2.0\)$/m,
    );
  });

  it('says which Node it needs on an older one', async () => {
    const older = join(temporaryDirectory(onTestFinished), 'older.mjs');
    const versions = "{ value: { ...process.versions, node: '22.12.0' } }";
    const command = JSON.stringify(pathToFileURL(sandbox.command).href);
    writeFileSync(
      older,
      `Object.defineProperty(process, 'versions', ${versions}); await import(${command});`,
    );

    expect(await runCommand(older, [])).toStrictEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'error: The sandbox needs Node 24 or later, and this is Node 22.12.0 (https://nodejs.org).\n',
    });
  });

  describe('started by a partner', () => {
    const directory = temporaryDirectory();
    const log = join(directory, 'log');
    const own = join(directory, 'own');
    const dataFolder = join(directory, '.pet-store-sandbox');
    let api: Awaited<ReturnType<typeof spawnLocalApi>>;

    beforeAll(async () => {
      const guard = join(directory, 'guard.mjs');
      writeFileSync(guard, watchConnections(log));
      mkdirSync(dataFolder);
      writeFileSync(own, 'own');
      symlinkSync(own, join(dataFolder, '.gitignore'));
      // Functions inherit options of Node.
      const execArgv = [`--import=${pathToFileURL(guard)}`];
      const options = ['--port', `${await freePort()}`, '--pets', '1'];
      api = await spawnLocalApi(options, { command: sandbox.command, project: directory, execArgv });
    });
    afterAll(() => api[Symbol.asyncDispose]());

    it('lets Git ignore the key, in place of the link', () => {
      expect(readFileSync(join(dataFolder, '.gitignore'), 'utf8')).toBe('*\n');
      expect(readFileSync(own, 'utf8')).toBe('own');
    });

    it('serves the reference', async () => {
      const { baseUrl, apiKey, docsUrl } = api;
      const read = async (path: string) => (await fetch(new URL(path, docsUrl))).text();

      expect(await read('/openapi.json')).toBe(
        stringifyJson(openApiDocument({ ...stages.production, baseUrl }), 2),
      );
      const page = await read('/');
      expect(page === referencePage({ ...stages.production, baseUrl }, apiKey)).toBe(true);
      expect(page).not.toContain(placeholders.apiKey);
    });

    it('gives one request the fault that it asks for', async () => {
      const call = apiClient(api);
      const create = (name: string, fault?: string) => {
        const headers = { 'Idempotency-Key': name, 'Sandbox-Fault': fault };
        return call('POST', '/pets', { headers, body: { name, categoryId: 1 } });
      };

      // The response has what the interface description says of it.
      expectError(await create('Rejected', '503'), 503, 'service_unavailable');
      expect((await create('Rejected')).headers).not.toHaveProperty('idempotency-replayed');

      await expect(create('Lost', 'lost')).rejects.toThrow('fetch failed');
      expect((await create('Lost')).headers).toHaveProperty('idempotency-replayed', 'true');
      // One is there from the start.
      expect((await call('GET', '/pets')).body).toHaveLength(3);
    });

    it('connects to nothing but itself', () => {
      const connections = new Set(readFileSync(log, 'utf8').trim().split('\n'));

      expect(connections).toEqual(new Set(['connect 127.0.0.1']));
    });
  });

  it('is alone in knowing the header of a fault', async () => {
    const headers = { Authorization: `Bearer ${apiKey}`, 'Sandbox-Fault': '503' };

    expect((await fetch(`${baseUrl}/pets?limit=1`, { headers })).status).toBe(200);
  });
});
