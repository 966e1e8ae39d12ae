import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { listen } from '../../../infra/local/http/listen.ts';
import { generateApiKey } from '../../../shared/contract/api-key.ts';
import { runCommand } from '../../support/local/command-process.ts';

/** Runs `npm start` where it cannot run the CDK app. */
const run = (...flags: readonly string[]) =>
  runCommand('bin/local.ts', flags, { environment: { PATH: '/nowhere' } });

describe('npm start', () => {
  it('prints its options with --help, with defaults that it accepts', async () => {
    const { stdout } = await run('--help');

    expect(stdout).toMatch(/^Usage: npm start -- /);
    expect(stdout).not.toContain('default: 0)');
  });

  it('reports an invalid option in one line before its usage', async () => {
    const message =
      "option '--port <number>' argument 'petstore_staging_…' is invalid. It must be an integer from 0 to 65535.";

    expect(await run('--port', generateApiKey('staging'))).toStrictEqual({
      exitCode: 1,
      stdout: '',
      stderr: `error: ${message}\nUsage: npm start -- [options]\n`,
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
});
