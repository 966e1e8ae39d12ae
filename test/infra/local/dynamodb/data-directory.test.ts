import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Level } from 'level';
import { afterAll, describe, expect, it } from 'vitest';
import { closeDataDirectory, openDataDirectory } from '../../../../infra/local/dynamodb/data-directory.ts';

const parent = mkdtempSync(join(tmpdir(), 'pet-store-'));
afterAll(() => rmSync(parent, { recursive: true }));

/** Everything in a directory: its folders and links, and the content of its files. */
function contentsOf(directory: string): Record<string, string> {
  const paths = readdirSync(directory, { recursive: true, encoding: 'utf8' }).toSorted();
  return Object.fromEntries(
    paths.map((path) => {
      const file = lstatSync(join(directory, path));
      return [path, file.isFile() ? readFileSync(join(directory, path), 'base64') : `${file.mode}`];
    }),
  );
}

/** Makes a directory of the local API, with something in its tables, and gives their folder. */
async function useDirectory(directory: string): Promise<string> {
  const { tables } = await openDataDirectory(directory);
  const level = new Level<string, unknown>(tables, { valueEncoding: 'json' });
  await level.put('table~Pets', { TableStatus: 'ACTIVE' });
  await level.put('item-Pets~1', { id: { N: '1' } });
  // What was in the log of the newest writes goes into a table file.
  await level.close();
  await level.open();
  await level.put('item-Pets~2', { id: { N: '2' }, name: { S: 'Bella'.repeat(40) } });
  await level.close();
  closeDataDirectory(directory);
  return tables;
}

/** The first file of a folder with an extension. */
const fileOf = (folder: string, extension: string) =>
  join(folder, readdirSync(folder).find((name) => name.endsWith(extension)) ?? 'none');

/** Expects a directory to be refused for a reason, and everything in it, or in the folder around it, to stay as it is. */
async function expectRefusal(directory: string, reason: string, folder = directory): Promise<void> {
  const before = contentsOf(folder);

  await expect(openDataDirectory(directory)).rejects.toThrow(
    `The tables can't be kept in ${directory}: ${reason}`,
  );
  expect(contentsOf(folder)).toStrictEqual(before);
}

describe('openDataDirectory', () => {
  it('makes a directory for this user alone, and takes it again, by a link too', async () => {
    const directory = join(parent, 'new');
    const link = join(parent, 'link');
    symlinkSync(directory, link);

    const first = await openDataDirectory(directory);
    closeDataDirectory(directory);
    const second = await openDataDirectory(link);

    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(first).toEqual({ tables: join(directory, 'tables'), wasKilled: false });
    expect(second).toEqual({ tables: join(link, 'tables'), wasKilled: false });
  });

  it('takes an empty directory, and tells that it was killed in it, or makes it when that was too early', async () => {
    const directory = join(parent, 'empty');
    mkdirSync(directory);
    await openDataDirectory(directory);
    const killed = await openDataDirectory(directory);
    closeDataDirectory(directory);
    writeFileSync(join(directory, 'pet-store.json'), '{"format":1,"tables":"being created"}');
    rmSync(join(directory, 'tables'), { recursive: true });

    const again = await openDataDirectory(directory);

    expect([killed.wasKilled, again.wasKilled]).toEqual([true, false]);
    expect(readFileSync(join(directory, 'pet-store.json'), 'utf8')).toBe('{"format":1,"tables":"created"}\n');
  });

  it.each<[title: string, prepare: (directory: string) => void, message: string]>([
    [
      'has files of something else',
      (directory) => {
        mkdirSync(directory);
        writeFileSync(join(directory, '000007.log'), 'mine');
      },
      "it has files of something else; give an empty directory, or one that doesn't exist.",
    ],
    [
      'has a marker that is something else',
      (directory) => {
        mkdirSync(join(directory, 'tables'), { recursive: true });
        writeFileSync(join(directory, 'pet-store.json'), '{"pets":[]}');
        writeFileSync(join(directory, 'tables', '000007.log'), 'mine');
      },
      'its pet-store.json is damaged.',
    ],
    [
      'is a link to nowhere',
      (directory) => symlinkSync(join(parent, 'no'), directory),
      'ENOENT: no such file',
    ],
    ['is in a/folder that is missing', () => undefined, 'ENOENT: no such file'],
  ])('refuses one that %s, and leaves it as it is', async (title, prepare, message) => {
    const folder = mkdtempSync(join(parent, 'foreign-'));
    const directory = join(folder, title);
    prepare(directory);

    await expectRefusal(directory, message, folder);
  });

  it.each<[damage: string, inflict: (tables: string) => void | Promise<void>]>([
    ['tables are missing', (tables) => rmSync(tables, { recursive: true })],
    ['CURRENT is missing', (tables) => rmSync(join(tables, 'CURRENT'))],
    ['table file is cut off', (tables) => truncateSync(fileOf(tables, '.ldb'), 40)],
    [
      'newest writes are garbled',
      (tables) => {
        const file = fileOf(tables, '.log');
        writeFileSync(file, readFileSync(file).fill('x', 100, 120));
      },
    ],
    [
      'description of a table is none',
      async (tables) => {
        const level = new Level(tables);
        await level.put('table~Pets', '{"TableStatus":');
        await level.close();
      },
    ],
  ])('refuses one whose %s, and leaves it as it is', async (damage, inflict) => {
    const directory = join(parent, damage);
    await inflict(await useDirectory(directory));

    await expectRefusal(directory, 'its ');
  });

  it('says that another process has it, whose files it leaves as they are', async () => {
    const directory = join(parent, 'shared');
    const tables = await useDirectory(directory);
    const lock = `
      import { Level } from 'level';
      await new Level(process.argv[1]).open();
      console.log('locked');
      process.stdin.resume();`;
    const other = spawn(process.execPath, ['--input-type=module', '--eval', lock, tables]);
    await once(other.stdout, 'data');

    await expectRefusal(directory, 'another process is using it.');

    other.kill();
    await once(other, 'exit');
  });
});
