import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openTables } from '../../../../infra/local/dynamodb/data-directory.ts';
import { openPets } from '../../../support/dynamodb/pets-table.ts';
import { temporaryDirectory } from '../../../support/e2e/temporary-file.ts';

const parent = temporaryDirectory();

/** Writes files, by path, to a new directory, and returns the directory. */
function directoryWith(files: Readonly<Record<string, string>>): string {
  const directory = mkdtempSync(join(parent, 'with-'));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(join(directory, path, '..'), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
  return directory;
}

/** The content of the files in a directory, except LevelDB's lock and log. */
function filesIn(directory: string): Record<string, string> {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && !/^(LOCK|LOG(\.old)?)$/.test(file.name))
    .map((file) => join(file.parentPath, file.name));
  return Object.fromEntries(files.map((file) => [file, readFileSync(file, 'base64')]));
}

async function useDirectory(directory: string): Promise<string> {
  const tables = await openPets(directory);
  await tables.call('PutItem', { TableName: 'Pets', Item: { id: { N: '1' } } });
  await tables.close();
  return directory;
}

const marker = 'pet-store.json';

describe('openTables', () => {
  // Windows has no modes.
  it.skipIf(process.platform === 'win32')('creates a directory for this user only', async () => {
    const directory = await useDirectory(join(parent, 'new'));

    expect(statSync(directory).mode & 0o777).toBe(0o700);
  });

  it.each([
    ['is empty', {}],
    ['lacks LevelDB data', { [marker]: '{"format":1}', 'tables/MANIFEST-000001': '' }],
  ])('uses a directory that %s', async (_title, files) => {
    const directory = await useDirectory(directoryWith(files));

    expect(readFileSync(join(directory, marker), 'utf8')).toMatch(/^\{"format":1/);
  });

  // Windows needs a privilege for it.
  it.skipIf(process.platform === 'win32').each([
    ['the folder', { mine: '' }, 'tables', '.'],
    ['a file', { mine: 'mine', 'tables/LOCK': '' }, 'tables/MANIFEST-000001', 'mine'],
  ])('rejects a link in place of %s of tables', async (_title, files, link, target) => {
    const directory = directoryWith({ [marker]: '{"format":1}', ...files });
    symlinkSync(join(directory, target), join(directory, link));
    const before = filesIn(directory);

    await expect(openTables(directory)).rejects.toThrow(
      `The tables can't be kept in ${directory}: its tables contain a symbolic link.`,
    );

    expect(filesIn(directory)).toEqual(before);
  });

  it.each([
    ['contains other files', { '000007.log': 'mine' }, / has other files: pass an empty directory/],
    [
      'has partial LevelDB data',
      { [marker]: '{"format":1}', 'tables/000007.log': '' },
      /^The tables can't be kept in .+: Invalid argument: /,
    ],
  ])('rejects a directory that %s, untouched', async (_title, files, message) => {
    const directory = directoryWith(files);
    const before = filesIn(directory);

    await expect(openTables(directory)).rejects.toThrow(message);

    expect(filesIn(directory)).toStrictEqual(before);
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
