import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, relative } from 'node:path';
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { stackName } from '../../../../infra/stack-names.ts';
import { generateApiKey } from '../../../../shared/keys/api-key.ts';
import { path, table } from '../../../../test/support/contract/own-operations.ts';
import { apiClient } from '../../../../test/support/e2e/api-client.ts';
import { expectError } from '../../../../test/support/e2e/expect-error.ts';
import { temporaryDirectory } from '../../../../test/support/e2e/temporary-file.ts';
import { defaultStage } from '../../../cli/default-address.ts';
import { runCommand } from '../../../cli/test/support/command-process.ts';
import { listen } from '../../../local-api/http/listen.ts';
import { spawnLocalApi } from '../support/spawn-local-api.ts';

/** Runs `npm start` where it cannot run the CDK app. */
const run = (...flags: readonly string[]) =>
  runCommand('bin/local/local.ts', flags, { environment: { PATH: '/nowhere' } });

/** Starts a local API from an assembly, with a directory for temporary files. */
async function start(assembly: string, ...flags: readonly string[]) {
  const TMPDIR = temporaryDirectory(onTestFinished);
  const environment = { PATH: '/nowhere', TMPDIR };
  const api = await spawnLocalApi(['--assembly', relative('', assembly), ...flags], { environment });
  return { ...api, temporaryFiles: () => readdirSync(TMPDIR) };
}

describe('npm start', { timeout: 120_000 }, () => {
  it('prints its options with --help, with defaults that it accepts', async () => {
    const { stdout } = await run('--help');

    expect(stdout).toMatch(/^Usage: npm start -- /);
    expect(stdout).not.toContain('default: 0)');
    expect(stdout).toContain('\nThe tables are at http://127.0.0.1:<port>/_aws/,');
  });

  it('reports a taken port, as PORT has it, before it synthesizes the stack', async () => {
    await using server = createServer();
    const PORT = `${await listen(server)}`;
    // A synthesis would have no place for its files.
    const environment = { PATH: '/nowhere', PORT, TMPDIR: '/nowhere', TEMP: '/nowhere' };

    const exit = await runCommand('bin/local/local.ts', [], { environment });

    const stderr = `error: Port ${PORT} cannot be used: pass --port <number> to choose another.\n`;
    expect(exit).toStrictEqual({ exitCode: 1, stdout: '', stderr });
  });

  it('says why it listens on no other host', async () => {
    const { exitCode, stderr } = await run('--host', '0.0.0.0');

    expect(exitCode).toBe(1);
    expect(stderr).toContain('Only 127.0.0.1 is listened on: no other machine may read keys and tables.\n');
  });

  it('names what does not work or is not emulated, or stops with --strict', async () => {
    const assembly = temporaryDirectory(onTestFinished);
    const template = join(assembly, `${stackName(defaultStage)}.template.json`);
    cpSync(inject('localApi').assembly, assembly, { recursive: true });
    const { Resources, ...parts } = JSON.parse(
      readFileSync(template, 'utf8').replaceAll(table.nameVariable, 'NO_TABLE'),
    );
    const withQueue = { ...parts, Resources: { ...Resources, Queue: { Type: 'AWS::SQS::Queue' } } };
    writeFileSync(template, JSON.stringify(withQueue));

    const { local, temporaryFiles } = await start(assembly, '--pets', '1');
    const before = temporaryFiles();
    // As when its terminal is closed; Windows has no signals.
    const { exitCode, stderr } = await local.exit('SIGHUP');
    const strict = await run('--assembly', assembly, '--port', '0', '--strict');

    expect(stderr).toMatch(/^Not emulated: AWS::SQS::Queue\n/);
    expect(stderr).toMatch(/^The samples can't be created: .*The service failed unexpectedly\./m);
    expect(before).toStrictEqual([expect.stringMatching(/^pet-store-/)]);
    if (process.platform !== 'win32') expect([exitCode, temporaryFiles()]).toStrictEqual([0, []]);
    const message = 'error: Not emulated: AWS::SQS::Queue. --strict forbids it.\n';
    expect(strict).toStrictEqual({ exitCode: 1, stdout: '', stderr: message });
  });

  it('fails as asked with --throttle, --fail or --block, until nobody reads its output', async () => {
    const flags = ['--pets', '0', '--throttle', '50%', '--fail', '100%', '--block', '50%'];
    const { local, baseUrl, apiKey, temporaryFiles } = await start(inject('localApi').assembly, ...flags);
    const callWith = (key: string) => apiClient({ baseUrl, apiKey: key })('GET', path);

    // Half of the keys cannot be read.
    const throttled = async () => {
      const response = await callWith(generateApiKey('petstore_staging_'));
      expectError(response, 503, 'service_unavailable');
    };
    await vi.waitFor(throttled, { timeout: 60_000, interval: 1 });
    const blocked = async () => {
      const response = await callWith(apiKey);
      expectError(response, 429, 'too_many_requests');
      expect(response.headers).toHaveProperty('retry-after', '60');
    };
    await vi.waitFor(blocked, { timeout: 60_000, interval: 1 });
    const lost = async () => expectError(await callWith(apiKey), 500, 'internal_error');
    await vi.waitFor(lost, { timeout: 60_000, interval: 1 });
    await local.printed('stderr', /The function did its work, and --fail lost its response\./);
    // As with head.
    local.stopReading('stderr');
    // It may end before it responds.
    await callWith(apiKey).catch(() => undefined);

    expect(await local.exit()).toMatchObject({ exitCode: 0 });
    expect(temporaryFiles()).toStrictEqual([]);
  });
});
