import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, relative } from 'node:path';
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { defaultStage } from '../../../infra/default-address.ts';
import { listen } from '../../../infra/local/http/listen.ts';
import { stackName } from '../../../infra/stack-names.ts';
import { generateApiKey } from '../../../shared/keys/api-key.ts';
import { apiClient, type Call } from '../../support/e2e/api-client.ts';
import { expectError } from '../../support/e2e/expect-error.ts';
import { temporaryDirectory } from '../../support/e2e/temporary-file.ts';
import { CommandProcess, runCommand } from '../../support/local/command-process.ts';

/** Runs `npm start` where it cannot run the CDK app. */
const run = (...flags: readonly string[]) =>
  runCommand('bin/local.ts', flags, { environment: { PATH: '/nowhere' } });

/** Starts another local API from the assembly of the one under test, without pets. */
async function start(flags: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const { assembly } = inject('localApi');
  const local = new CommandProcess(
    'bin/local.ts',
    ['--assembly', assembly, '--port', '0', '--pets', '0', '--json', ...flags],
    { environment: { PATH: '/nowhere', ...environment } },
  );
  const [ready] = await local.printed('stdout', /^.*\n/);
  return { local, call: apiClient(JSON.parse(ready)) };
}

describe('npm start', { timeout: 120_000 }, () => {
  it('prints its options with --help, with defaults that it accepts', async () => {
    const { stdout } = await run('--help');

    expect(stdout).toMatch(/^Usage: npm start -- /);
    expect(stdout).not.toContain('default: 0)');
  });

  it('reports an invalid option in one line', async () => {
    const message =
      "option '--port <number>' argument 'petstore_staging_…' is invalid. It must be an integer from 0 to 65535.";

    expect(await run('--port', generateApiKey('petstore_staging_'))).toStrictEqual({
      exitCode: 1,
      stdout: '',
      stderr: `error: ${message}\nAdd --help to see what is accepted.\n`,
    });
  });

  it('reports a taken port before it synthesizes the stack', async () => {
    await using server = createServer();
    const port = await listen(server);

    const exit = await run('--port', `${port}`);

    const stderr = `error: Port ${port} cannot be used: pass --port <number> to choose another.\n`;
    expect(exit).toStrictEqual({ exitCode: 1, stdout: '', stderr });
  });

  const endings = {
    'its terminal is closed': (local: CommandProcess) => local.exit('SIGHUP'),
    'nobody reads its output, as with head': async (local: CommandProcess, call: Call) => {
      local.stopReading('stderr');
      await call('GET', '/pets');
      return local.exit();
    },
  };
  // Windows has no signals.
  it.skipIf(process.platform === 'win32').each(Object.entries(endings))(
    'leaves nothing behind when %s',
    async (_title, end) => {
      const TMPDIR = temporaryDirectory(onTestFinished);
      const { local, call } = await start([], { TMPDIR });
      const before = readdirSync(TMPDIR);

      const { exitCode } = await end(local, call);

      expect(before).toStrictEqual([expect.stringMatching(/^pet-store-/)]);
      expect(exitCode).toBe(0);
      expect(readdirSync(TMPDIR)).toStrictEqual([]);
    },
  );

  it('serves an assembly in a relative directory', async () => {
    const assembly = relative('', inject('localApi').assembly);

    const { local, call } = await start(['--assembly', assembly]);

    expect((await call('GET', '/pets')).status).toBe(200);
    await local.exit('SIGTERM');
  });

  it('says why the sample pets cannot be created', async () => {
    const assembly = temporaryDirectory(onTestFinished);
    const template = join(assembly, `${stackName(defaultStage)}.template.json`);
    cpSync(inject('localApi').assembly, assembly, { recursive: true });
    writeFileSync(template, readFileSync(template, 'utf8').replaceAll('PETS_TABLE', 'NO_TABLE'));

    const { local } = await start(['--assembly', assembly, '--pets', '1']);

    await local.printed('stderr', /^The sample pets can't be created: The service failed unexpectedly\.$/m);
    await local.exit('SIGTERM');
  });

  it('names what it does not emulate, or stops with --strict', async () => {
    const assembly = temporaryDirectory(onTestFinished);
    const template = join(assembly, `${stackName(defaultStage)}.template.json`);
    cpSync(inject('localApi').assembly, assembly, { recursive: true });
    const { Resources, ...parts } = JSON.parse(readFileSync(template, 'utf8'));
    const withQueue = { ...parts, Resources: { ...Resources, Queue: { Type: 'AWS::SQS::Queue' } } };
    writeFileSync(template, JSON.stringify(withQueue));

    const { local } = await start(['--assembly', assembly]);
    const { stderr } = await local.exit('SIGTERM');
    const strict = await run('--assembly', assembly, '--port', '0', '--strict');

    expect(stderr).toBe('Not emulated: AWS::SQS::Queue\n');
    expect(strict).toStrictEqual({
      exitCode: 1,
      stdout: '',
      stderr: 'error: Not emulated: AWS::SQS::Queue. --strict forbids it.\n',
    });
  });

  it('responds to some requests with 503 with --throttle 50%', async () => {
    const { local, call } = await start(['--throttle', '50%']);

    const expectThrottled = async () => expectError(await call('GET', '/pets'), 503, 'service_unavailable');
    await vi.waitFor(expectThrottled, { timeout: 60_000, interval: 1 });
    await local.exit('SIGTERM');
  });

  it('loses responses with --fail 100%', async () => {
    const { local, call } = await start(['--fail', '100%']);

    expectError(await call('GET', '/pets'), 500, 'internal_error');
    await local.exit('SIGTERM');
  });
});
