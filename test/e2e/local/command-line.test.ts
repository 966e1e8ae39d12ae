import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { listen } from '../../../infra/local/http/listen.ts';
import { generateApiKey } from '../../../shared/contract/api-key.ts';
import { temporaryDirectory } from '../../support/e2e/temporary-file.ts';
import { CommandProcess, runCommand } from '../../support/local/command-process.ts';

/** Runs `npm start` where it cannot run the CDK app. */
const run = (...flags: readonly string[]) =>
  runCommand('bin/local.ts', flags, { environment: { PATH: '/nowhere' } });

describe('npm start', () => {
  it('prints its options with --help, with defaults that it accepts', async () => {
    const { stdout } = await run('--help');

    expect(stdout).toMatch(/^Usage: npm start -- /);
    expect(stdout).not.toContain('default: 0)');
  });

  it('reports an invalid option in one line', async () => {
    const message =
      "option '--port <number>' argument 'petstore_staging_…' is invalid. It must be an integer from 0 to 65535.";

    expect(await run('--port', generateApiKey('staging'))).toStrictEqual({
      exitCode: 1,
      stdout: '',
      stderr: `error: ${message}\nAdd --help to see what is accepted.\n`,
    });
  });

  it('reports a taken port before it synthesizes the stack', async () => {
    const server = createServer();
    const port = await listen(server);

    const exit = await run('--port', `${port}`);

    await server[Symbol.asyncDispose]();
    const stderr = `error: Port ${port} cannot be used: pass --port <number> to choose another.\n`;
    expect(exit).toStrictEqual({ exitCode: 1, stdout: '', stderr });
  });

  // Windows has no signals.
  it.skipIf(process.platform === 'win32')(
    'leaves nothing behind when its terminal is closed',
    { timeout: 120_000 },
    async () => {
      const TMPDIR = temporaryDirectory(onTestFinished);
      const flags = ['--assembly', inject('localApi').assembly, '--port', '0', '--pets', '0', '--json'];
      const environment = { PATH: '/nowhere', TMPDIR };
      const local = new CommandProcess('bin/local.ts', flags, { environment });
      await local.printed('stdout', /^.*\n/);

      expect(readdirSync(TMPDIR)).toStrictEqual([expect.stringMatching(/^pet-store-/)]);
      expect(await local.exit('SIGHUP')).toMatchObject({ exitCode: 0 });
      expect(readdirSync(TMPDIR)).toStrictEqual([]);
    },
  );
});
