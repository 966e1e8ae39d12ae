import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { close, listen } from '../../../infra/local/http/listen.ts';
import { generateApiKey } from '../../../shared/contract/api-key.ts';
import { runCommand } from '../../support/local/command-process.ts';

const run = (...flags: readonly string[]) => runCommand('bin/local.ts', flags);

describe('npm start', { concurrent: true, timeout: 120_000 }, () => {
  const directory = mkdtempSync(join(tmpdir(), 'pet-store-test-'));
  afterAll(() => rmSync(directory, { recursive: true }));

  it('says with --help what flags there are', async () => {
    expect(await run('--help')).toMatchObject({ stdout: expect.stringMatching(/^Usage: npm start -- /) });
  });

  it.each([
    [['extra'], 'too many arguments. Expected 0 arguments but got 1: extra.'],
    [
      ['--port', generateApiKey('staging')],
      "option '--port <number>' argument 'petstore_staging_…' is invalid. It must be an integer from 0 to 65535.",
    ],
  ])('rejects %j in one line before its usage', async (flags, message) => {
    expect(await run(...flags)).toStrictEqual({
      exitCode: 1,
      stdout: '',
      stderr: `error: ${message}\nUsage: npm start -- [options]\n`,
    });
  });

  it('names the option for another port if the port is taken', async () => {
    const server = createServer();
    const port = await listen(server);

    const exit = await run('--port', `${port}`, '--data', directory);

    await close(server);
    const stderr = `error: Port ${port} cannot be used: pass --port <number> to choose another.\n`;
    expect(exit).toStrictEqual({ exitCode: 1, stdout: '', stderr });
    expect(readdirSync(directory)).not.toContain('in-use');
  });
});
