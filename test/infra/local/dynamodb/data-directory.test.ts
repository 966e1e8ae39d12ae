import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { openTables } from '../../../../infra/local/dynamodb/data-directory.ts';
import { petsTable } from '../../../support/dynamodb/pets-table.ts';

const parent = mkdtempSync(join(tmpdir(), 'pet-store-'));
afterAll(() => rmSync(parent, { recursive: true }));

/** The files, folders and links in a directory, with the content of files, except LevelDB's own log. */
function contentsOf(directory: string): Record<string, string> {
  const paths = readdirSync(directory, { recursive: true, encoding: 'utf8' }).toSorted();
  return Object.fromEntries(
    paths
      .filter((path) => !/LOG(\.old)?$/.test(path))
      .map((path) => {
        const file = lstatSync(join(directory, path));
        return [path, file.isFile() ? readFileSync(join(directory, path), 'base64') : `${file.mode}`];
      }),
  );
}

const Item = { id: { N: '1' } };

/** Creates a directory with a pet. */
async function useDirectory(directory: string): Promise<void> {
  const tables = await openTables(directory);
  await tables.declare([petsTable()]);
  await tables.call('PutItem', { TableName: 'Pets', Item });
  await tables.close();
}

describe('openTables', () => {
  it('creates a directory for this user only', async () => {
    const directory = join(parent, 'new');

    await useDirectory(directory);

    expect(statSync(directory).mode & 0o777).toBe(0o700);
  });

  it.each<[title: string, prepare: (directory: string) => void]>([
    ['empty', (directory) => mkdirSync(directory)],
    [
      'not marked completely',
      (directory) => {
        mkdirSync(directory);
        writeFileSync(join(directory, 'pet-store.json'), '');
      },
    ],
    [
      'without the files of LevelDB',
      (directory) => {
        mkdirSync(join(directory, 'tables'), { recursive: true });
        writeFileSync(join(directory, 'pet-store.json'), '{"format":1}');
        writeFileSync(join(directory, 'tables', 'MANIFEST-000001'), '');
      },
    ],
    [
      'of version 1.0.0',
      (directory) => {
        mkdirSync(directory);
        writeFileSync(join(directory, 'pet-store.json'), '{"format":1,"tables":"being created"}\n');
      },
    ],
  ])('uses a directory that is %s', async (title, prepare) => {
    const directory = join(parent, title);
    prepare(directory);

    await useDirectory(directory);

    expect(readFileSync(join(directory, 'pet-store.json'), 'utf8')).toMatch(/^\{"format":1/);
  });

  it.each<[title: string, prepare: (directory: string) => unknown, message: string]>([
    [
      'contains other files',
      (directory) => {
        mkdirSync(directory);
        writeFileSync(join(directory, '000007.log'), 'mine');
      },
      "it contains other files; give an empty directory, or one that doesn't exist.",
    ],
    [
      'has a marker of something else',
      (directory) => {
        mkdirSync(join(directory, 'tables'), { recursive: true });
        writeFileSync(join(directory, 'pet-store.json'), '{"pets":[]}');
        writeFileSync(join(directory, 'tables', '000007.log'), 'mine');
      },
      'its pet-store.json is damaged.',
    ],
    [
      'lacks a file of LevelDB',
      async (directory) => {
        await useDirectory(directory);
        rmSync(join(directory, 'tables', 'CURRENT'));
      },
      'Invalid argument: ',
    ],
  ])('rejects a directory that %s, and leaves it untouched', async (title, prepare, message) => {
    const folder = mkdtempSync(join(parent, 'foreign-'));
    const directory = join(folder, title);
    await prepare(directory);
    const before = contentsOf(folder);

    await expect(openTables(directory)).rejects.toThrow(
      `The tables can't be kept in ${directory}: ${message}`,
    );

    expect(contentsOf(folder)).toStrictEqual(before);
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
