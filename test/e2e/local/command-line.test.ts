import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Level } from 'level';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { openDataDirectory } from '../../../infra/local/dynamodb/data-directory.ts';
import { close, listen } from '../../../infra/local/listen.ts';
import { LocalProcess } from '../../support/local/local-process.ts';

const run = (...flags: readonly string[]) => new LocalProcess(flags).exit();

describe('npm start', { concurrent: true }, () => {
  it('says with --help what flags there are', async () => {
    const { exitCode, stdout, stderr } = await run('--help');

    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^Usage: npm start -- \[options\]\n/);
    expect(stdout.match(/(?<=^ {2})--\w+/gm)).toStrictEqual([
      '--port',
      '--stage',
      '--data',
      '--pets',
      '--json',
      '--watch',
      '--inspect',
    ]);
    expect(stderr).toBe('');
  });

  it.each([
    [['--bogus'], "unknown option '--bogus'"],
    [['extra'], 'too many arguments. Expected 0 arguments but got 1: extra.'],
    [
      ['--port', '65536'],
      "option '--port <number>' argument '65536' is invalid. It must be an integer from 0 to 65535.",
    ],
    [
      ['--pets', '-1'],
      "option '--pets <number>' argument '-1' is invalid. It must be an integer from 0 to 1000000.",
    ],
    [
      ['--stage', 'dev'],
      "option '--stage <name>' argument 'dev' is invalid. Allowed choices are staging, production.",
    ],
  ])('refuses %j in one line', async (flags, message) => {
    const exit = await run(...flags);

    expect(exit).toStrictEqual({ exitCode: 1, stdout: '', stderr: `error: ${message}\n` });
  });

  it('refuses a port that is taken in one line', async () => {
    const server = createServer();
    const port = await listen(server);

    const exit = await run('--port', `${port}`);

    await close(server);
    expect(exit).toStrictEqual({
      exitCode: 1,
      stdout: '',
      stderr: `error: Port ${port} can't be used, choose another one\n`,
    });
  });

  describe('--data', () => {
    const directory = mkdtempSync(join(tmpdir(), 'pet-store-test-'));
    const locked = join(directory, 'locked');
    let tables: Level;

    beforeAll(async () => {
      writeFileSync(join(directory, 'file'), '');
      tables = new Level((await openDataDirectory(locked)).tables);
      await tables.open();
    });
    afterAll(async () => {
      await tables.close();
      rmSync(directory, { recursive: true });
    });

    it('is left as it should be at Ctrl-C, though sample pets are still being created', async () => {
      const kept = join(directory, 'kept');
      const local = new LocalProcess(['--port', '0', '--data', kept, '--pets', '1000000']);
      await vi.waitFor(() => expect(sizeOf(join(kept, 'tables'))).toBeGreaterThan(100_000), {
        timeout: 20_000,
      });

      const exit = await local.exit('SIGINT');

      expect(exit).toStrictEqual({ exitCode: 0, stdout: '', stderr: '' });
      expect(readdirSync(kept)).not.toContain('in-use');
    });

    it('is left as it should be when the port is taken', async () => {
      const kept = join(directory, 'taken');
      const server = createServer();
      const port = await listen(server);

      const { exitCode } = await run('--port', `${port}`, '--data', kept);

      await close(server);
      expect(exitCode).toBe(1);
      expect(readdirSync(kept)).not.toContain('in-use');
    });

    it.each([
      ['that another process has', locked],
      ['that is a file', join(directory, 'file')],
      ['of something else', '.'],
      ["whose parent doesn't exist", join(directory, 'no', 'where')],
    ])('refuses a directory %s in one line', async (_title, path) => {
      const { exitCode, stdout, stderr } = await run('--data', path);

      expect(stderr).toMatch(/^error: The tables can't be kept in .+\n$/);
      expect(stderr).toContain(` ${path}: `);
      expect(stdout).toBe('');
      expect(exitCode).toBe(1);
    });
  });
});

/** How many bytes the files of a directory have. */
const sizeOf = (directory: string) =>
  readdirSync(directory).reduce((sum, name) => sum + statSync(join(directory, name)).size, 0);
