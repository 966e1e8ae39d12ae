import { NumberValue } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { beforeEach, describe, expect, expectTypeOf, it, vi } from 'vitest';
import { encodeCursor } from '../../../shared/paging/cursor.ts';
import { readPage, type Where as WhereOf } from '../../../shared/paging/read-page.ts';
import { dynamodb } from '../../../shared/tables/dynamodb.ts';
import { captureLog } from '../../support/functions/capture-log.ts';
import { putItem, removeEveryItem } from '../../support/functions/stored-items.ts';
import { bookTable, createTable, type Shelf, shelfTable } from '../../support/tables/library.ts';

const log = captureLog();
const shelves = await createTable(shelfTable);
const books = await createTable(bookTable);
const rooms = [undefined, 'attic'] as const;

interface ShelfPage {
  readonly limit?: number;
  readonly cursor?: string | undefined;
  readonly room?: string | undefined;
}

const readShelves = ({ limit = 5, cursor, room }: ShelfPage) =>
  readPage(shelves, { limit, cursor, where: { field: 'room', equals: room } });

const putShelf = (id: bigint | NumberValue) => putItem(shelfTable, { id, room: 'attic' });
const putShelves = (count: number) =>
  Promise.all(Array.from({ length: count }, (_, index) => putShelf(BigInt(index + 1))));

/** Returns the pages of a list, each read with the cursor of the one before. */
async function pagesOf<Item>(
  read: (cursor?: string) => Promise<{ readonly items: readonly Item[]; readonly next: string | undefined }>,
) {
  const pages: (readonly Item[])[] = [];
  let next: string | undefined;
  do {
    const page = await read(next);
    pages.push(page.items);
    next = page.next;
  } while (next !== undefined);
  return pages;
}

/** Reads every page of a list, with another shelf created after the first, and returns its items. */
async function readAll(page: ShelfPage, newId = 1n): Promise<readonly Shelf[]> {
  const pages = await pagesOf(async (cursor) => {
    if (cursor !== undefined) await putShelf(newId);
    return readShelves({ ...page, cursor });
  });
  return pages.flat();
}

beforeEach(() => removeEveryItem(shelfTable));

describe('a page', () => {
  it('continues after the last item that DynamoDB returned, even if it is short', async () => {
    const shelf = await putShelf(1n);
    const response = { Items: [shelf], LastEvaluatedKey: { id: 1n }, $metadata: {} };
    vi.spyOn(dynamodb, 'send').mockResolvedValueOnce(response);

    const { items, next } = await readShelves({});

    expect(items).toEqual([shelf]);
    expect(await readShelves({ cursor: next })).toEqual({ items: [], next: undefined });
  });

  it('has what the schema describes, and nothing else', async () => {
    await putItem(shelfTable, { id: 1n, room: 'attic', digest: new Uint8Array(32), colour: 'red' });

    const { items } = await readShelves({});

    expect(items).toEqual([{ id: 1n, room: 'attic' }]);
  });

  // An encoded text is what a client could make up: the checksum is no secret.
  it.each(['x', 'NaN', '1e999', '9'.repeat(39), `${'9'.repeat(38)}e89`])(
    'is rejected after %j, which no number in a key is',
    async (text) => {
      const id = new NumberValue(text);
      const listed = { table: shelfTable, key: shelfTable.key, partition: undefined };
      const inAttic = { table: shelfTable, key: shelfTable.indexes.byRoom, partition: 'attic' };
      const expected = expect.objectContaining({ code: 'invalid_query' });

      await expect(readShelves({ cursor: encodeCursor(listed, { id }) })).rejects.toEqual(expected);
      const cursor = encodeCursor(inAttic, { id });
      await expect(readShelves({ cursor, room: 'attic' })).rejects.toEqual(expected);
    },
  );

  it.each(['', 'a'.repeat(1025)])('is rejected after %j, which no text in a key is', async (title) => {
    const list = { table: bookTable, key: bookTable.key, partition: undefined };
    const cursor = encodeCursor(list, { owner: 'ann', title });

    await expect(readPage(books, { limit: 1, cursor })).rejects.toMatchObject({ code: 'invalid_query' });
  });

  it.each([
    ['the first page', false, 'ValidationException'],
    // An index that is gone, for example.
    ['a later page, if the list cannot be read at all', true, 'ValidationException'],
    ['a later page, for any other reason', true, 'AccessDeniedException'],
  ])('rethrows a rejection of %s', async (_title, isLater, name) => {
    await putShelves(2);
    const { next } = await readShelves({ limit: 1 });
    const rejection = Object.assign(new Error('no'), { name });
    vi.spyOn(dynamodb, 'send').mockRejectedValue(rejection);

    await expect(readShelves({ cursor: isLater ? next : undefined })).rejects.toBe(rejection);
  });
});

describe('a list of a table with a key of two texts', () => {
  const stored = [
    { owner: 'ann', title: 'a,b', year: 3n, state: 'there' },
    { owner: 'ann', title: '%2C', year: 2n, state: 'lent', ownerAndState: 'ann#lent' },
    { owner: 'ann', title: 'ü.', year: 1n, state: 'lent', ownerAndState: 'ann#lent' },
    { owner: 'bob', title: 'c', year: 4n, state: 'lent', ownerAndState: 'bob#lent' },
  ];

  beforeEach(async () => {
    await removeEveryItem(bookTable);
    for (const book of stored) await putItem(bookTable, book);
  });

  const titlesOf = async (
    request: Omit<Parameters<typeof readPage<typeof books>>[1], 'limit' | 'cursor'>,
  ) => {
    const pages = await pagesOf((cursor) => readPage(books, { ...request, limit: 1, cursor }));
    return pages.flat().map(({ title }) => title);
  };

  it('has all items', async () => {
    expect(new Set(await titlesOf({}))).toEqual(new Set(['a,b', '%2C', 'ü.', 'c']));
  });

  it('has the items of a partition, sorted by the key of the table', async () => {
    expect(await titlesOf({ where: { field: 'owner', equals: 'ann' } })).toEqual(['%2C', 'a,b', 'ü.']);
  });

  it('has the items of a partition, sorted by an index', async () => {
    const where = { field: 'owner', equals: 'ann', sortedBy: 'year' } as const;

    expect(await titlesOf({ where })).toEqual(['ü.', '%2C', 'a,b']);
  });

  it('has the items with an attribute that only an index has', async () => {
    const titles = await titlesOf({ where: { field: 'ownerAndState', equals: 'ann#lent' } });

    expect(new Set(titles)).toEqual(new Set(['%2C', 'ü.']));
  });

  it('compiles only with a field that begins a key', () => {
    type Where = WhereOf<typeof books>;

    expectTypeOf<{ field: 'owner'; equals: string; sortedBy: 'year' }>().toExtend<Where>();
    expectTypeOf<{ field: 'state'; equals: string }>().not.toExtend<Where>();
    expectTypeOf<{ field: 'owner'; equals: bigint }>().not.toExtend<Where>();
    expectTypeOf<{ field: 'ownerAndState'; equals: string; sortedBy: 'year' }>().not.toExtend<Where>();
  });
});

describe('a filter in a variable', () => {
  const page = { limit: 1, cursor: undefined };
  const range = { field: 'owner', equals: 'ann', from: 'a' } as const;
  const other = { field: 'owner', equals: 'ann', state: 'lent' } as const;
  const filter = { field: 'owner', equals: 'ann' } as const;

  it('does not compile with a range', () => {
    // @ts-expect-error
    return readPage(books, { ...page, where: range });
  });

  it('does not compile with a second field', () => {
    // @ts-expect-error
    return readPage(books, { ...page, where: other });
  });

  it('does not compile if one of two has a second field', () => {
    const another = { field: 'ownerAndState', equals: 'ann#lent' } as const;

    // @ts-expect-error
    return readPage(books, { ...page, where: page.limit > 1 ? another : other });
  });

  it('does not compile with a field beside it', () => {
    const query = { ...page, state: 'lent' };

    // @ts-expect-error
    return readPage(books, { ...query, where: filter });
  });
});

describe('a list with deleted items', () => {
  const deleteEvery = (nth: number, count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, index) => index + 1)
        .filter((id) => id % nth === 0)
        .map((id) => putItem(shelfTable, { id: BigInt(id), deletedAt: 1n })),
    );

  it.each(rooms)('has full pages of the others (room: %s)', async (room) => {
    await putShelves(40);
    await deleteEvery(3, 40);

    const pages = await pagesOf((cursor) => readShelves({ limit: 9, cursor, room }));

    expect(pages.map(({ length }) => length)).toEqual([9, 9, 9]);
    const kept = Array.from({ length: 40 }, (_, index) => BigInt(index + 1)).filter((id) => id % 3n !== 0n);
    expect(new Set(pages.flat().map(({ id }) => id))).toEqual(new Set(kept));
    expect(log.errors()).toEqual([]);
  });

  it('ends, with a cursor of the rest, while it meets almost only deleted items', async () => {
    await deleteEvery(1, 100);
    const send = vi.spyOn(dynamodb, 'send');

    const { items, next } = await readShelves({ limit: 5 });

    expect(items).toEqual([]);
    expect(next).toEqual(expect.any(String));
    expect(send).toHaveBeenCalledTimes(10);
  });

  it('makes one call for a page without deleted items', async () => {
    await putShelves(9);
    const send = vi.spyOn(dynamodb, 'send');

    await readShelves({ limit: 5 });

    expect(send).toHaveBeenCalledTimes(1);
  });
});

describe('a list with damaged ids', () => {
  // What DynamoDB stores: at most 38 digits, from 1e-130 to less than 1e126.
  const digits = fc.stringMatching(/^[1-9]\d{0,36}[1-9]$/);
  const exponent = fc.oneof(fc.integer({ min: -130, max: -1 }), fc.integer({ min: 20, max: 88 }));
  const number = fc
    .tuple(fc.constantFrom('', '-'), digits, exponent)
    .map(([sign, text, exponent]) => `${sign}${text}e${exponent}`);
  const damagedIds = fc.uniqueArray(number, { minLength: 1, maxLength: 4 });
  const newIds = fc.uniqueArray(fc.bigInt(4n, 99n), { minLength: 2, maxLength: 2 });
  const extremes = [`${'9'.repeat(38)}e88`, '-1e125', '1e-130', '1.5', '0', '1e25', '-99999999999999999999'];

  it('has every other item once, at every limit, of all rooms or of one', async () => {
    const limits = fc.integer({ min: 1, max: 4 });
    const property = fc.asyncProperty(damagedIds, limits, newIds, async (ids, limit, created) => {
      await removeEveryItem(shelfTable);
      const stored = await putShelves(3);
      for (const id of ids) await putShelf(new NumberValue(id));
      log.clear();

      for (const [index, room] of rooms.entries()) {
        const items = await readAll({ limit, room }, created[index]);

        expect(items).toEqual(expect.arrayContaining(stored));
        expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
      }
      expect(log.errors()).toHaveLength(2 * ids.length);
    });

    const examples = [1, 2, 3].map((limit): [string[], number, bigint[]] => [extremes, limit, [4n, 5n]]);
    await fc.assert(property, { numRuns: 12, examples });
  });
});
