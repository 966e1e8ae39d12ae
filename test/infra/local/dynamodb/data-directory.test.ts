import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openTables } from '../../../../infra/local/dynamodb/data-directory.ts';
import { openPets } from '../../../support/dynamodb/pets-table.ts';
import { temporaryDirectory } from '../../../support/e2e/temporary-file.ts';

const parent = temporaryDirectory();

/** Writes a file to a new directory, and returns the directory. */
function directoryWith(file: string): string {
  const directory = mkdtempSync(join(parent, 'with-'));
  writeFileSync(join(directory, file), 'mine');
  return directory;
}

async function useDirectory(directory: string): Promise<string> {
  const tables = await openPets(directory);
  await tables.call('PutItem', { TableName: 'Pets', Item: { id: { N: '1' } } });
  await tables.close();
  return directory;
}

describe('openTables', () => {
  // Windows has no modes.
  it.skipIf(process.platform === 'win32')('creates a directory for this user only', async () => {
    const directory = await useDirectory(join(parent, 'new'));

    expect(statSync(directory).mode & 0o777).toBe(0o700);
  });

  it('uses an empty directory', async () => {
    const directory = await useDirectory(mkdtempSync(join(parent, 'empty-')));

    expect(readFileSync(join(directory, 'pet-store.json'), 'utf8')).toMatch(/^\{"format":1/);
  });

  it('rejects a directory that contains other files, untouched', async () => {
    const directory = directoryWith('000007.log');

    await expect(openTables(directory)).rejects.toThrow(/ has other files: pass an empty directory/);

    expect(readdirSync(directory)).toStrictEqual(['000007.log']);
  });

  it('opens a new directory for one of two simultaneous starts', async () => {
    const directory = join(parent, 'contested');

    const starts = await Promise.allSettled([openTables(directory), openTables(directory)]);

    const opened = starts.filter((start) => start.status === 'fulfilled');
    const failed = starts.filter((start) => start.status === 'rejected');
    for (const { value } of opened) onTestFinished(() => value.close());
    expect(opened).toHaveLength(1);
    expect(failed.map(({ reason }) => String(reason))).toStrictEqual([
      `Error: The tables can't be kept in ${directory}: another process is using it.`,
    ]);
  });
});
