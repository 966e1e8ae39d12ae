import {
  BatchGetItemCommand,
  DeleteItemCommand,
  DescribeTableCommand,
  DynamoDBClient,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { apiKeyTable } from '../../../../shared/keys/api-key.ts';
import { bookTable, shelfTable } from '../../../../test/support/tables/library.ts';
import type { StoredItem } from '../../put-back/item.ts';
import type { OpenTables } from '../../put-back/open-tables.ts';
import { openStage, putBack } from '../support/put-back/open-stage.ts';

const stage = await openStage();

const shelf = (id: number, attributes: StoredItem = {}): StoredItem => ({
  id: { N: `${id}` },
  room: { S: 'hall' },
  lastWrite: { S: 'before' },
  ...attributes,
});
const deleted = (id: number): StoredItem => ({ id: { N: `${id}` }, deletedAt: { N: '1' } });
const ids = (...listed: readonly number[]) => new Map(listed.map((id) => [`${id}`, undefined]));

/** Returns the items as `itemsOf` does. */
const without = (...items: readonly StoredItem[]) =>
  Object.fromEntries(items.map(({ lastWrite: _, ...item }) => [item['id']?.N, item]));

describe('without a list', () => {
  it('adds what the table lacks, exactly', async () => {
    const odd = shelf(2, {
      number: { N: '12345678901234567890.125' },
      bytes: { B: new Uint8Array([0, 255]) },
      set: { SS: ['b', 'a'] },
      constructor: { S: 'what each object of JavaScript has' },
      map: { M: { empty: { S: '' }, list: { L: [{ NULL: true }, { BOOL: false }] } } },
    });
    const { name, open } = await stage.create(shelfTable, [shelf(1)], [shelf(1), odd, shelf(3)]);

    const { exitCode, said } = await putBack(await open());

    expect(exitCode).toBe(0);
    expect(said).toContain(
      'Of 3 items of the copy, the table lacks 2, 0 differ, 0 were deleted since, 1 are the same.',
    );
    expect(said).toContain('Written: 2.');
    expect(await stage.itemsOf(shelfTable, name)).toEqual(without(shelf(1), odd, shelf(3)));
  });

  it('leaves deleted, excepted, different or later items as they are', async () => {
    const wrong = shelf(3, { label: { S: 'wrong' } });
    const own = [deleted(1), wrong, shelf(4)];
    const { name, open } = await stage.create(shelfTable, own, [shelf(1), shelf(2), shelf(3)]);

    const { asked, saved } = await putBack(await open(), { except: ids(2) });

    expect(asked.filter((question) => question.startsWith('Add'))).toEqual([]);
    expect([...(saved.different?.keys() ?? [])]).toEqual(['3']);
    expect([...(saved.deleted?.keys() ?? [])]).toEqual(['1']);
    expect(await stage.itemsOf(shelfTable, name)).toEqual(without(...own));
  });

  it('looks at no ids but those that are listed', async () => {
    const wrong = shelf(2, { label: { S: 'wrong' } });
    const { name, open } = await stage.create(shelfTable, [wrong], [shelf(1), shelf(2), shelf(3)]);

    const { said, saved } = await putBack(await open(), { only: ids(1, 2, 4) });

    expect(said).toContain(
      'Of 2 items of the copy, the table lacks 1, 1 differ, 0 were deleted since, 0 are the same.',
    );
    expect(said).toContain('The copy lacks 1 of the listed ids.');
    expect([...(saved.different?.keys() ?? [])]).toEqual(['2']);
    expect(await stage.itemsOf(shelfTable, name)).toEqual(without(shelf(1), wrong));
  });

  it('sees no difference in lastWrite, in the order of a set or in that of names', async () => {
    const own = shelf(1, { set: { NS: ['1', '2'] }, map: { M: { a: { S: '1' }, b: { S: '2' } } } });
    const copied = shelf(1, {
      map: { M: { b: { S: '2' }, a: { S: '1' } } },
      set: { NS: ['2', '1'] },
      lastWrite: { S: 'later' },
    });
    const { open } = await stage.create(shelfTable, [own], [copied]);

    expect((await putBack(await open())).said[1]).toMatch(/lacks 0, 0 differ, .* 1 are the same\.$/);
  });

  it.each(['no', '', 'maybe'])('writes nothing if the answer is %j', async (answer) => {
    const { name, open } = await stage.create(shelfTable, [], [shelf(1)]);

    const { said } = await putBack(await open(), {}, { write: answer });

    expect(said.at(-1)).toBe('Nothing was written.');
    expect(await stage.itemsOf(shelfTable, name)).toEqual({});
  });

  it('keeps what is created while it asks', async () => {
    const created = shelf(1, { room: { S: 'attic' } });
    const { name, open } = await stage.create(shelfTable, [], [shelf(1), shelf(2)]);
    const create = async () => {
      await stage.fill(name, [created]);
      return 'yes';
    };

    const { said } = await putBack(await open(), {}, { write: create });

    expect(said).toContain('Changed meanwhile, and left as they are: 1.');
    expect(await stage.itemsOf(shelfTable, name)).toEqual(without(created, shelf(2)));
  });

  it('says which items DynamoDB rejects, after the others are written', async () => {
    const book = { owner: { S: 'ann' }, title: { S: 'one' } };
    const misfit = { owner: { S: 'ann' }, title: { S: 'two' }, year: { S: 'two' } };
    // A table without indexes can have it.
    const keyTypes = { owner: 'S', title: 'S' } as const;
    const { from } = await stage.create({ ...bookTable, indexes: {}, keyTypes }, [], [misfit, book]);
    const { name, open } = await stage.create(bookTable, [], []);

    const { exitCode, said } = await putBack(await open(from));

    expect(exitCode).toBe(2);
    expect(said.at(-1)).toMatch(/^Rejected: \["ann","two"\]: /);
    expect(Object.keys(await stage.itemsOf(bookTable, name))).toEqual(['["ann","one"]']);
  });
});

describe('with a list', () => {
  const wrong = shelf(1, { label: { S: 'wrong' } });

  async function listed(own: readonly StoredItem[], copied: readonly StoredItem[]) {
    const created = await stage.create(shelfTable, own, copied);
    const { saved } = await putBack(await created.open());
    return { ...created, overwrite: new Map([...(saved.different ?? []), ...(saved.deleted ?? [])]) };
  }

  it('overwrites what it lists, also deleted items', async () => {
    const copied = [shelf(1), shelf(2), shelf(3, { label: { S: 'old' } })];
    const { name, open, overwrite } = await listed([wrong, deleted(2), shelf(3)], copied);
    overwrite.delete('3');

    const { said } = await putBack(await open(), { overwrite });

    expect(said).toContain(
      'Of 2 listed items, 2 are as they were, 0 are the same as in the copy, 0 have changed since, and stay.',
    );
    expect(await stage.itemsOf(shelfTable, name)).toEqual(without(shelf(1), shelf(2), shelf(3)));
  });

  it('leaves what has changed since it was listed', async () => {
    const { name, open, overwrite } = await listed([wrong], [shelf(1)]);
    const repaired = shelf(1, { label: { S: 'repaired' } });
    await stage.fill(name, [repaired]);

    const { asked } = await putBack(await open(), { overwrite });

    expect(asked.filter((question) => question.startsWith('Overwrite'))).toEqual([]);
    expect(await stage.itemsOf(shelfTable, name)).toEqual(without(repaired));
  });

  it.each(['changes', 'is deleted'])('leaves what %s between its comparison and its write', async (how) => {
    const { name, open, overwrite } = await listed([wrong], [shelf(1)]);
    const tables = await open();
    const { send } = tables.table.client;
    const repaired = shelf(1, { label: { S: 'repaired' } });
    tables.table.client.send = async function (this: unknown, command: unknown) {
      if (command instanceof PutItemCommand) {
        const Key = { id: { N: '1' } };
        await (how === 'changes'
          ? stage.fill(name, [repaired])
          : stage.client.send(new DeleteItemCommand({ TableName: name, Key })));
      }
      return Reflect.apply(send, this, [command]);
    };

    const { said } = await putBack(tables, { overwrite });

    expect(said).toContain('Changed meanwhile, and left as they are: 1.');
    expect(await stage.itemsOf(shelfTable, name)).toEqual(how === 'changes' ? without(repaired) : {});
  });

  it('writes only the rest when it is repeated', async () => {
    const { open, overwrite } = await listed([wrong], [shelf(1)]);
    await putBack(await open(), { overwrite });

    const { said } = await putBack(await open(), { overwrite });

    expect(said[1]).toMatch(/^Of 1 listed items, 0 are as they were, 1 are the same as in the copy/);
    expect(said).not.toContain('Written: 1.');
  });
});

describe('API keys', () => {
  const key = (digit: string, attributes: StoredItem = {}): StoredItem => ({
    keyHash: { S: digit.repeat(64) },
    client: { S: 'acme' },
    createdAt: { N: '1' },
    ...attributes,
  });
  const revoked = { revokedAt: { N: '2' }, purgeAt: { N: '9999999999' } };

  it('are only added, each named before', async () => {
    const own = [key('a', revoked), key('d')];
    const damaged = { keyHash: { S: 'e'.repeat(64) } };
    const copied = [key('a'), key('b'), key('c', revoked), key('d', { note: { S: 'old' } }), damaged];
    const { name, open } = await stage.create(apiKeyTable, own, copied);

    const { said, saved } = await putBack(await open());

    expect(said).toEqual(
      expect.arrayContaining([
        '  bbbbbbbbbbbb of acme, valid',
        '  cccccccccccc of acme, no longer valid',
        '  eeeeeeeeeeee damaged',
        'Written: 3.',
      ]),
    );
    expect(saved).toEqual({});
    const items = Object.values(await stage.itemsOf(apiKeyTable, name));
    expect(items).toHaveLength(5);
    expect(items).toEqual(expect.arrayContaining([...own, key('b'), key('c', revoked), damaged]));
  });

  it('can be left out by the id that operators know', async () => {
    const { name, open } = await stage.create(apiKeyTable, [], [key('b')]);

    await putBack(await open(), { except: new Map([['bbbbbbbbbbbb', undefined]]) });

    expect(await stage.itemsOf(apiKeyTable, name)).toEqual({});
  });

  it('are not missing when they are past their time to live', async () => {
    const seconds = Math.floor(Date.now() / 1000);
    const ended = key('b', { purgeAt: { N: `${seconds}` } });
    const ending = key('c', { purgeAt: { N: `${seconds + 600}` } });
    const { name, open } = await stage.create(apiKeyTable, [], [ended, ending]);

    const { said } = await putBack(await open());

    expect(said[1]).toMatch(/lacks 1, .* 1 are past their time to live\.$/);
    expect(Object.values(await stage.itemsOf(apiKeyTable, name))).toEqual([ending]);
  });

  it('have no client but one that could have been issued', async () => {
    const { open } = await stage.create(
      apiKeyTable,
      [],
      [key('b', { client: { S: 'acme, no longer valid' } })],
    );

    const { said } = await putBack(await open());

    expect(said).toContain('  bbbbbbbbbbbb of an unknown client, valid');
  });
});

describe('the copy', () => {
  it('is deleted last, if that is wanted', async () => {
    const { from, open } = await stage.create(shelfTable, [], [shelf(1)]);
    const tables = await open();

    await putBack(tables);
    await stage.client.send(new DescribeTableCommand({ TableName: from }));
    const { said, asked } = await putBack(tables, {}, { remove: 'yes' });

    expect(asked).toEqual([`Delete ${from}? Nothing more can be put back from it then. (yes or no)`]);
    expect(said.at(-1)).toBe(`Deleted ${from}.`);
    const { Table } = await stage.client
      .send(new DescribeTableCommand({ TableName: from }))
      .catch(() => ({ Table: undefined }));
    expect(Table?.TableStatus ?? 'DELETING').toBe('DELETING');
  });

  it.each<[reason: string, change: (tables: OpenTables) => Partial<OpenTables>, own: StoredItem]>([
    ['it was made for another stage', () => ({ stage: 'production' }), shelf(1)],
    ['it is in another region', ({ copy }) => ({ copy: { ...copy, isElsewhere: true } }), shelf(1)],
    ['something differs', () => ({}), shelf(1, { room: { S: 'attic' } })],
  ])('is not offered for deletion if %s', async (_reason, change, own) => {
    const { open } = await stage.create(shelfTable, [own], [shelf(1)]);
    const tables = await open();

    const { asked } = await putBack({ ...tables, ...change(tables) });

    expect(asked).toEqual([]);
  });
});

describe('a comparison', () => {
  it('reads again what DynamoDB has not read yet, consistently', async () => {
    const own = [shelf(1), shelf(2), shelf(3)];
    const { open } = await stage.create(shelfTable, own, own);
    const tables = await open();
    const { send } = DynamoDBClient.prototype;
    const spy = vi.spyOn(DynamoDBClient.prototype, 'send');
    onTestFinished(() => spy.mockRestore());
    const reads: unknown[] = [];
    // Reads one item, as DynamoDB may that throttles.
    spy.mockImplementation(async function (this: DynamoDBClient, command) {
      if (!(command instanceof BatchGetItemCommand)) return Reflect.apply(send, this, [command]);
      const [[name, { Keys: [key, ...others] = [], ...how }] = ['', { Keys: [] }]] = Object.entries(
        command.input.RequestItems ?? {},
      );
      reads.push(how);
      const one = new BatchGetItemCommand({ RequestItems: { [name]: { ...how, Keys: key ? [key] : [] } } });
      const answer = await Reflect.apply(send, this, [one]);
      return { ...answer, UnprocessedKeys: others.length > 0 ? { [name]: { ...how, Keys: others } } : {} };
    });

    const { said } = await putBack(tables);

    expect(said[1]).toMatch(/lacks 0, 0 differ, .* 3 are the same\.$/);
    expect(reads).toEqual([{ ConsistentRead: true }, { ConsistentRead: true }, { ConsistentRead: true }]);
  });
});

it.each(['only', 'overwrite'] as const)('keeps the copy after a list for --%s', async (list) => {
  const { open } = await stage.create(shelfTable, [shelf(1)], [shelf(1), shelf(2)]);

  expect((await putBack(await open(), { [list]: ids(1) })).asked).toEqual([]);
});

it('loses and revives nothing, whatever the two tables have', async () => {
  const item = fc.record({
    id: fc.integer({ min: 1, max: 9 }),
    kind: fc.constantFrom('hall', 'attic', 'deleted'),
  });
  const items = fc.uniqueArray(item, { selector: ({ id }) => id });
  const toItem = ({ id, kind }: { id: number; kind: string }) =>
    kind === 'deleted' ? deleted(id) : shelf(id, { room: { S: kind } });

  await fc.assert(
    fc.asyncProperty(
      items,
      items,
      fc.uniqueArray(fc.integer({ min: 1, max: 9 })),
      async (own, copied, except) => {
        const { name, open } = await stage.create(shelfTable, own.map(toItem), copied.map(toItem));

        await putBack(await open(), { except: ids(...except) });

        const added = copied.filter(
          ({ id }) => !except.includes(id) && !own.some((other) => other.id === id),
        );
        expect(await stage.itemsOf(shelfTable, name)).toEqual(without(...[...own, ...added].map(toItem)));
      },
    ),
    { numRuns: 40 },
  );
});

it.each([
  ['takes keys of a copy that DynamoDB restored to 89 days ago', 89, undefined],
  [
    'takes no keys of 91 days ago, of which revoked ones are purged',
    91,
    /knows for 90 days which were revoked/,
  ],
])('%s', async (_title, days, error) => {
  const { from, open } = await stage.create(apiKeyTable, [], []);
  const RestoreDateTime = new Date(Date.now() - days * 24 * 60 * 60 * 1000);
  const { send } = DynamoDBClient.prototype;
  const spy = vi.spyOn(DynamoDBClient.prototype, 'send');
  onTestFinished(() => spy.mockRestore());
  spy.mockImplementation(async function (this: DynamoDBClient, command) {
    const answer = await Reflect.apply(send, this, [command]);
    if (command instanceof DescribeTableCommand && command.input.TableName === from) {
      Object.assign(answer.Table, { RestoreSummary: { RestoreDateTime, RestoreInProgress: false } });
    }
    return answer;
  });

  const opened = await open().then(
    () => undefined,
    ({ message }: Error) => message,
  );

  if (error) expect(opened).toMatch(error);
  else expect(opened).toBe(undefined);
});
