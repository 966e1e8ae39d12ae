import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { declaredTable, notesTable } from '../../../../test/support/dynamodb/declared-table.ts';
import { temporaryDirectory } from '../../../../test/support/e2e/temporary-file.ts';
import type { Call } from '../../dynamodb/dynalite-store.ts';
import { type DeclaredTable, dynaliteTables } from '../../dynamodb/dynalite-tables.ts';
import { openKeptData } from '../../dynamodb/kept-data.ts';

const logged = vi.spyOn(console, 'error').mockReturnValue();
afterEach(() => logged.mockClear());

const TableName = 'Notes';
const first = { id: { N: '1' }, status: { S: 'done' } };
const second = { id: { N: '2' }, status: { S: 'done' } };

let directory: string;
let path: string;
beforeEach(() => {
  directory = temporaryDirectory(onTestFinished);
  path = join(directory, 'data', 'staging-3000.sqlite');
});

// The tests of a process share dynalite, whose functions the module replaces, but not the module itself.
vi.resetModules();
await import('../../dynamodb/dynalite-store.ts');

/** Starts with what the file keeps, as the local API does. */
async function start({ declared = [notesTable()], isFresh = false } = {}) {
  const tables = dynaliteTables();
  await tables.declare(declared);
  const kept = openKeptData({ path, isFresh });
  if (!kept) throw new Error('Nothing is kept.');
  await tables.keepIn(kept);
  return { ...tables, kept };
}

async function scan(tables: Pick<ReturnType<typeof dynaliteTables>, 'call'>, IndexName?: string) {
  const output = await tables.call('Scan', { TableName, ...(IndexName && { IndexName }) });
  return v.parse(v.object({ Items: v.array(v.unknown()) }), output).Items;
}

/** Keeps items in a file, and ends. */
async function keep(...items: readonly object[]): Promise<void> {
  const { call, kept } = await start();
  for (const Item of items) await call('PutItem', { TableName, Item });
  kept.close();
}

const keyedBy = (types: Readonly<Record<string, 'N' | 'S'>>) =>
  declaredTable(TableName, types, Object.keys(types));

describe('kept data', () => {
  const values = { ':s': { S: 'open' }, ':n': { N: '1' } };
  const update = { UpdateExpression: 'SET #s = :s ADD age :n', ExpressionAttributeNames: { '#s': 'status' } };
  const batch = [{ PutRequest: { Item: second } }, { DeleteRequest: { Key: { id: { N: '1' } } } }];

  it.each<[operation: string, input: Call, items: readonly object[]]>([
    ['PutItem', { TableName, Item: { ...first, tag: { S: 'a' } } }, [{ ...first, tag: { S: 'a' } }]],
    [
      'UpdateItem',
      { TableName, Key: { id: { N: '1' } }, ExpressionAttributeValues: values, ...update },
      [{ id: { N: '1' }, status: { S: 'open' }, age: { N: '1' } }],
    ],
    ['DeleteItem', { TableName, Key: { id: { N: '1' } } }, []],
    ['BatchWriteItem', { RequestItems: { [TableName]: batch } }, [second]],
  ])('keeps what %s writes', async (operation, input, items) => {
    const { call } = await start();
    await call('PutItem', { TableName, Item: first });
    await call(operation, input);

    expect(await scan(await start())).toStrictEqual(items);
    expect(await scan(await start())).toStrictEqual(items);
  });

  it('keeps no write whose condition fails', async () => {
    const { call } = await start();
    await call('PutItem', { TableName, Item: first });
    const ConditionExpression = 'attribute_not_exists(id)';
    const failing = call('PutItem', { TableName, Item: { id: { N: '1' } }, ConditionExpression });
    await expect(failing).rejects.toThrow();

    expect(await scan(await start())).toStrictEqual([first]);
  });

  it('keeps every digit, byte and name of an item', async () => {
    const item = `{"id":{"N":"9007199254740993"},"constructor":{"M":{"toString":{"N":"1"}}},"n":{"N":"12345678901234567890123456789012345678"},"b":{"B":"AP8Q"},"bs":{"BS":["AP8Q","AQ=="]},"ns":{"NS":["-9223372036854775808","1"]},"l":{"L":[{"NULL":true},{"BOOL":false},{"S":"\\u2028\\ud83d\\udc08"}]}}`;
    await keep(JSON.parse(item));

    const [kept] = await scan(await start());

    expect(JSON.stringify(kept)).toBe(JSON.stringify(JSON.parse(item)));
  });

  it('puts items into the indexes that are declared now', async () => {
    const item = { ...first, tag: { S: 'a' } };
    await keep(item);

    const tables = await start({ declared: [notesTable('tag')] });

    expect(await scan(tables, 'by-tag')).toStrictEqual([item]);
  });

  it.each<[title: string, declared: readonly DeclaredTable[]]>([
    ['whose table is gone', []],
    ['without the key', [keyedBy({ number: 'N' })]],
    ['whose key has another type', [keyedBy({ id: 'S' })]],
    ['whose index key has another type', [notesTable('age')]],
  ])('counts items %s, which stay in the file', async (_title, declared) => {
    const item = { ...first, age: { N: '1' } };
    await keep(item);

    await start({ declared: [...declared] });
    await start({ declared: [...declared] });

    const message = `1 of 1 kept items no longer fit their tables: they stay in ${path}, unused.`;
    expect(logged.mock.calls).toStrictEqual([[message], [message]]);
    expect(await scan(await start())).toStrictEqual([item]);
  });

  it('keeps an item once after its key has changed', async () => {
    const { call } = await start({ declared: [keyedBy({ id: 'N', status: 'S' })] });
    await call('PutItem', { TableName, Item: first });

    for (let starts = 0; starts < 2; starts += 1) expect(await scan(await start())).toStrictEqual([first]);
    expect(logged).not.toHaveBeenCalled();
  });

  it('keeps both of two items that have one key after a change', async () => {
    const declared = [keyedBy({ id: 'N', status: 'S' })];
    const open = { ...first, status: { S: 'open' } };
    const { call } = await start({ declared });
    for (const Item of [first, open]) await call('PutItem', { TableName, Item });

    const tables = await start({ declared: [keyedBy({ id: 'N' })] });

    expect(await scan(tables)).toHaveLength(1);
    expect(logged).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/^1 of 2 kept items no longer fit/));
    expect(await scan(await start({ declared }))).toStrictEqual([first, open]);
  });

  it('stops at a damaged file, named, and leaves it as it is', async () => {
    await keep(first);
    const damaged = readFileSync(path).fill('x', 0, 100);
    writeFileSync(path, damaged);

    await expect(start()).rejects.toThrow(
      `${path} can't be used (file is not a database): repair that, or start with --fresh, which deletes the file`,
    );
    expect(readFileSync(path)).toStrictEqual(damaged);
    expect(await scan(await start({ isFresh: true }))).toStrictEqual([]);
  });

  it.each<[title: string, sql: string, reason: string]>([
    ['is of another program', 'DROP TABLE items; CREATE TABLE items (a)', 'no such column: table_name'],
    ['has an item that is not JSON', "UPDATE items SET item = '}'", 'Unexpected token'],
    ['another process writes', 'BEGIN IMMEDIATE', 'database is locked'],
  ])('names the file that %s', async (_title, sql, reason) => {
    await keep(first);
    using other = new DatabaseSync(path);
    other.exec(sql);

    const failure = await start().catch(String);

    expect(failure).toContain(`${path} can't be used (${reason}`);
  });

  it('keeps all items of a start that is killed before it has put them back', async () => {
    await keep(first);
    const killed = openKeptData({ path, isFresh: false });
    const replaced = killed?.replaceItems(async () => killed.close());
    await expect(replaced).rejects.toThrow('database is not open');

    expect(await scan(await start())).toStrictEqual([first]);
  });

  it('applies no write that it cannot keep', async () => {
    const tables = await start();
    const full = new Error('The disk is full.');
    const write = () => {
      throw full;
    };
    await tables.keepIn({ ...tables.kept, write });

    const put = tables.call('PutItem', { TableName, Item: first });

    await expect(put).rejects.toBe(full);
    expect(await scan(tables)).toStrictEqual([]);
    expect(await scan(tables, 'by-status')).toStrictEqual([]);
  });

  // Windows has no file modes, and links need a permission there.
  describe.skipIf(process.platform === 'win32')('on a system with file modes', () => {
    it('is in a folder that can be read only by its owner', async () => {
      mkdirSync(join(directory, 'data'), { mode: 0o777 });
      await keep(first);

      expect(statSync(join(directory, 'data')).mode & 0o777).toBe(0o700);
    });

    it('does not follow a link in place of its file or folder', async () => {
      const target = temporaryDirectory(onTestFinished);
      mkdirSync(join(directory, 'data'));
      symlinkSync(join(target, 'file'), path);
      const message = `${path} is a link, which is not followed: remove it.`;
      await expect(start()).rejects.toThrow(message);
      await expect(start({ isFresh: true })).rejects.toThrow(message);
      expect(readdirSync(target)).toStrictEqual([]);

      rmSync(join(directory, 'data'), { recursive: true });
      symlinkSync(target, join(directory, 'data'));
      await expect(start()).rejects.toThrow(`${join(directory, 'data')} is a link, which is not followed`);
    });
  });

  // Even root can't write there.
  it.skipIf(process.platform !== 'linux')('says that nothing is kept if its folder is read-only', () => {
    expect(openKeptData({ path: '/sys/pet-store/staging-3000.sqlite', isFresh: false })).toBeUndefined();

    expect(logged).toHaveBeenCalledExactlyOnceWith("Nothing is kept: /sys/pet-store can't be written.");
  });
});
