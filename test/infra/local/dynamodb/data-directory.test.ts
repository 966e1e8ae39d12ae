import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { closeDataDirectory, openDataDirectory } from '../../../../infra/local/dynamodb/data-directory.ts';

const parent = mkdtempSync(join(tmpdir(), 'pet-store-'));
afterAll(() => rmSync(parent, { recursive: true }));

const lock = `
  import { Level } from 'level';
  await new Level(process.argv[1]).open();
  console.log('locked');
  process.stdin.resume();
`;

describe('openDataDirectory', () => {
  it('makes a directory, and takes it again', async () => {
    const directory = join(parent, 'new');

    const first = await openDataDirectory(directory);
    closeDataDirectory(directory);
    const second = await openDataDirectory(directory);

    expect(existsSync(directory)).toBe(true);
    expect(first).toEqual({ wasKilled: false });
    expect(second).toEqual({ wasKilled: false });
  });

  it('tells when it was not left as it should be', async () => {
    const directory = join(parent, 'killed');

    await openDataDirectory(directory);
    const second = await openDataDirectory(directory);

    expect(second).toEqual({ wasKilled: true });
  });

  it('says that the parent is missing', async () => {
    const directory = join(parent, 'missing', 'data');

    await expect(openDataDirectory(directory)).rejects.toThrow(
      `The tables can't be kept in ${directory}: ENOENT: no such file or directory`,
    );
  });

  it('says that it is a file', async () => {
    const file = join(parent, 'file');
    writeFileSync(file, 'text');

    await expect(openDataDirectory(file)).rejects.toThrow(
      `The tables can't be kept in ${file}: EEXIST: file already exists`,
    );
  });

  it('says that another process has it', async () => {
    const directory = join(parent, 'shared');
    const other = spawn(process.execPath, ['--input-type=module', '--eval', lock, directory], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    await once(other.stdout, 'data');

    await expect(openDataDirectory(directory)).rejects.toThrow(
      new RegExp(`^The tables can't be kept in ${directory}: .*lock`),
    );

    other.kill();
    await once(other, 'exit');
  });
});
