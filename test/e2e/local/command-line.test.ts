import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { close, listen } from '../../../infra/local/http/listen.ts';
import { generateApiKey } from '../../../shared/contract/api-key.ts';
import { LocalProcess } from '../../support/local/local-process.ts';

const run = (...flags: readonly string[]) => new LocalProcess(flags).exit();

describe('npm start', { concurrent: true, timeout: 120_000 }, () => {
  it('says with --help what flags there are', async () => {
    const { exitCode, stdout, stderr } = await run('--help');

    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^Usage: npm start -- \[options\]\n/);
    expect(stderr).toBe('');
  });

  it.each([
    [['extra'], 'too many arguments. Expected 0 arguments but got 1: extra.'],
    [
      ['--port', generateApiKey('staging')],
      "option '--port <number>' argument 'petstore_staging_…' is invalid. It must be an integer from 0 to 65535.",
    ],
  ])('refuses %j in one line', async (flags, message) => {
    const exit = await run(...flags);

    expect(exit).toStrictEqual({ exitCode: 1, stdout: '', stderr: `error: ${message}\n` });
  });

  describe('--data', () => {
    const directory = mkdtempSync(join(tmpdir(), 'pet-store-test-'));
    afterAll(() => rmSync(directory, { recursive: true }));

    it('is left as it should be at Ctrl-C, though sample pets are still being created', async () => {
      const kept = join(directory, 'kept');
      const local = new LocalProcess(['--port', '0', '--data', kept, '--pets', '1000000']);
      await vi.waitFor(() => expect(sizeOf(join(kept, 'tables'))).toBeGreaterThan(10_000), {
        timeout: 60_000,
      });

      const exit = await local.exit('SIGINT');

      expect(exit).toStrictEqual({ exitCode: 0, stdout: '', stderr: '' });
      expect(readdirSync(kept)).not.toContain('in-use');
    });

    it('is left as it should be when the port is taken, which is told in one line', async () => {
      const kept = join(directory, 'taken');
      const server = createServer();
      const port = await listen(server);

      const exit = await run('--port', `${port}`, '--data', kept);

      await close(server);
      const stderr = `error: Port ${port} can't be used, choose another one\n`;
      expect(exit).toStrictEqual({ exitCode: 1, stdout: '', stderr });
      expect(readdirSync(kept)).not.toContain('in-use');
    });

    it('refuses a directory of something else in one line', async () => {
      const { exitCode, stdout, stderr } = await run('--data', '.');

      expect(stderr).toMatch(/^error: The tables can't be kept in \.: .+\n$/);
      expect(stdout).toBe('');
      expect(exitCode).toBe(1);
    });
  });
});

/** How many bytes the files of a directory have. */
const sizeOf = (directory: string) =>
  readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0);
