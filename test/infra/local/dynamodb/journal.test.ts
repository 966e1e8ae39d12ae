import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Call } from '../../../../infra/local/dynamodb/dynalite-store.ts';
import { type DeclaredTable, dynaliteTables } from '../../../../infra/local/dynamodb/dynalite-tables.ts';
import { openJournal } from '../../../../infra/local/dynamodb/journal.ts';
import { notesTable } from '../../../support/dynamodb/notes-table.ts';
import { temporaryDirectory } from '../../../support/e2e/temporary-file.ts';

const logged = vi.spyOn(console, 'error').mockReturnValue();
afterEach(() => logged.mockClear());

const TableName = 'Notes';
const first = { id: { N: '1' }, status: { S: 'done' } };
const second = { id: { N: '2' }, status: { S: 'done' } };

let directory: string;
let path: string;
beforeEach(() => {
  directory = temporaryDirectory(onTestFinished);
  path = join(directory, 'data', 'staging-3000.ndjson');
});

// The tests of a process share dynalite, whose functions the module replaces, but not the module itself.
vi.resetModules();
await import('../../../../infra/local/dynamodb/dynalite-store.ts');

/** Starts with what the file keeps, as the local API does. */
async function start({ declared = [notesTable()], isFresh = false } = {}) {
  const tables = dynaliteTables();
  await tables.declare(declared);
  const journal = openJournal({ path, isFresh });
  if (!journal) throw new Error('Nothing is kept.');
  onTestFinished(() => journal.close());
  await tables.keepIn(journal);
  return { ...tables, journal };
}

async function scan(tables: Pick<ReturnType<typeof dynaliteTables>, 'call'>, IndexName?: string) {
  const output = await tables.call('Scan', { TableName, ...(IndexName && { IndexName }) });
  return v.parse(v.object({ Items: v.array(v.unknown()) }), output).Items;
}

/** Keeps items in a file, and ends. */
async function keep(...items: readonly object[]): Promise<void> {
  const { call } = await start();
  for (const Item of items) await call('PutItem', { TableName, Item });
}

const keyedBy = (...names: readonly [string, 'N' | 'S'][]): DeclaredTable => ({
  id: TableName,
  properties: {
    AttributeDefinitions: names.map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType })),
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: names.map(([AttributeName], index) => ({ AttributeName, KeyType: index ? 'RANGE' : 'HASH' })),
  },
});

describe('a journal', () => {
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

    const restarted = await start();

    expect(await scan(restarted)).toStrictEqual(items);
    expect(restarted.journal.kept.items.map(({ item }) => item)).toStrictEqual(items);
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
    ['without the key', [keyedBy(['number', 'N'])]],
    ['whose key has another type', [keyedBy(['id', 'S'])]],
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

  it('keeps both of two items that have one key after a change', async () => {
    const declared = [keyedBy(['id', 'N'], ['status', 'S'])];
    const open = { ...first, status: { S: 'open' } };
    const { call } = await start({ declared });
    for (const Item of [first, open]) await call('PutItem', { TableName, Item });

    const tables = await start({ declared: [keyedBy(['id', 'N'])] });

    expect(await scan(tables)).toStrictEqual([first]);
    expect(logged).toHaveBeenCalledExactlyOnceWith(expect.stringMatching(/^1 of 2 kept items no longer fit/));
    expect(await scan(await start({ declared }))).toStrictEqual([first, open]);
  });

  it('drops an incomplete last record with a message', async () => {
    await keep(first, second);
    writeFileSync(path, readFileSync(path).subarray(0, -5));

    const tables = await start();

    expect(await scan(tables)).toStrictEqual([first]);
    expect(logged).toHaveBeenCalledExactlyOnceWith(
      `The incomplete last record of ${path} is dropped: its write was never acknowledged.`,
    );
  });

  it.each<[title: string, damage: (text: string) => string | Buffer, message: string]>([
    ['a line that is cut off', (text) => text.replace('"}}}\n', '\n'), ':2 is damaged'],
    ['an unknown record', (text) => `${text}{"tables":1}\n`, ':4 is damaged'],
    ['an item that is a list', (text) => `${text}{"table":"Notes","key":"id","item":[]}\n`, ':4 is damaged'],
    ['no header', (text) => text.slice(text.indexOf('\n') + 1), ':1 is damaged'],
    [
      'bytes that are not UTF-8',
      (text) => Buffer.from(text.replace('done', 'd\xffne'), 'latin1'),
      ':2 is damaged',
    ],
    ['another format', (text) => text.replace(':1}', ':2}'), ' has format 2, which is unknown here'],
  ])('stops at %s, named, and leaves the file as it is', async (_title, damage, message) => {
    await keep(first, second);
    writeFileSync(path, damage(readFileSync(path, 'utf8')));
    const damaged = readFileSync(path);

    await expect(start()).rejects.toThrow(`${path}${message}`);
    expect(readFileSync(path)).toStrictEqual(damaged);
  });

  it('keeps nothing of earlier starts if it is fresh', async () => {
    await keep(first);

    expect(await scan(await start({ isFresh: true }))).toStrictEqual([]);
    expect(await scan(await start())).toStrictEqual([]);
  });

  it('leaves the file as it is until all items are put back', async () => {
    await keep(first);
    const before = readFileSync(path);
    // A start that is killed meanwhile.
    openJournal({ path, isFresh: true })?.close();

    expect(readFileSync(path)).toStrictEqual(before);
    expect(await scan(await start())).toStrictEqual([first]);
  });

  it('applies no write that it cannot keep', async () => {
    const tables = await start();
    const full = new Error('The disk is full.');
    const append = () => {
      throw full;
    };
    await tables.keepIn({ ...tables.journal, append, replace: () => undefined });

    const write = tables.call('PutItem', { TableName, Item: first });

    await expect(write).rejects.toBe(full);
    expect(await scan(tables)).toStrictEqual([]);
    expect(await scan(tables, 'by-status')).toStrictEqual([]);
  });

  // Windows has no file modes, and links need a permission there.
  describe.skipIf(process.platform === 'win32')('on a system with file modes', () => {
    it('can be read only by its owner', async () => {
      mkdirSync(join(directory, 'data'), { mode: 0o777 });
      await keep(first);

      const modes = [path, join(directory, 'data')].map((name) => statSync(name).mode & 0o777);
      expect(modes).toStrictEqual([0o600, 0o700]);
    });

    it('does not follow a link in place of its file', async () => {
      const target = join(directory, 'target');
      mkdirSync(join(directory, 'data'));
      symlinkSync(target, path);

      const message = `${path} must be a file, but is a link, which is not followed: remove it.`;
      await expect(start()).rejects.toThrow(message);
      await expect(start({ isFresh: true })).rejects.toThrow(message);
      expect(existsSync(target)).toBe(false);
    });

    it('does not follow a link in place of its folder', async () => {
      symlinkSync(temporaryDirectory(onTestFinished), join(directory, 'data'));

      await expect(start()).rejects.toThrow(
        `${join(directory, 'data')} must be a folder, but is a link, which is not followed: remove it.`,
      );
    });
  });

  // Even root can't write there.
  it.skipIf(process.platform !== 'linux')('says that nothing is kept if its folder is read-only', () => {
    expect(openJournal({ path: '/sys/pet-store/staging-3000.ndjson', isFresh: false })).toBeUndefined();

    expect(logged).toHaveBeenCalledExactlyOnceWith("Nothing is kept: /sys/pet-store can't be written.");
  });
});
