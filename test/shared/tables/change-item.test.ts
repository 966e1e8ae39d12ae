import { beforeEach, describe, expect, expectTypeOf, inject, it } from 'vitest';
import { deleteIf, sendRefusedUpdate, updateIf } from '../../../shared/tables/change-item.ts';
import { captureLog } from '../../support/functions/capture-log.ts';
import { allItems, type Item, putItem, removeEveryItem } from '../../support/functions/stored-items.ts';
import { loadAt, startLosingFirstResponse } from '../../support/functions/stub-dynamodb.ts';
import { bookTable, createTable, shelfTable } from '../../support/tables/library.ts';

const log = captureLog();
const books = await createTable(bookTable);
const shelves = await createTable(shelfTable);

const key = { owner: 'ann', title: 'a' };
const book = { ...key, year: 1999n, state: 'there' as const };
const stored = { ...book, digest: new Uint8Array(32), ownerAndState: 'ann#there', lastWrite: 'before' };
const lent = { state: 'lent', ownerAndState: 'ann#lent' } as const;

const put = (item: Item) => putItem(bookTable, item);

beforeEach(() => removeEveryItem(bookTable));

describe('updateIf', () => {
  it('changes an item, and returns what the schema describes', async () => {
    await put(stored);

    const result = await updateIf(books, { key, changes: lent });

    expect(result).toEqual({ outcome: 'changed', item: { ...book, state: 'lent' } });
    expect(await allItems(bookTable)).toEqual([{ ...stored, ...lent, lastWrite: expect.any(String) }]);
  });

  it('removes an attribute that becomes undefined', async () => {
    await put({ ...stored, note: 'New' });

    const result = await updateIf(books, { key, changes: { note: undefined } });

    expect(result).toEqual({ outcome: 'changed', item: book });
  });

  it.each([
    ['changed', { state: 'there', note: undefined }],
    ['changed', { year: 1999n }],
    ['refused', { state: 'lent' }],
    ['refused', { state: 'there', note: 'New' }],
  ] as const)('has %s an item that had to have %o', async (outcome, expected) => {
    await put(stored);

    const result = await updateIf(books, { key, expected, changes: { year: 2000n } });

    const year = outcome === 'changed' ? 2000n : 1999n;
    expect(result).toEqual({ outcome, item: { ...book, year } });
    expect(await allItems(bookTable)).toMatchObject([{ year }]);
  });

  it.each([
    ['does not exist', []],
    ['was deleted', [{ ...key, deletedAt: 1n }]],
  ])('changes nothing if the item %s', async (_title, items) => {
    for (const item of items) await put(item);

    expect(await updateIf(books, { key, changes: lent })).toEqual({ outcome: 'absent' });

    expect(await allItems(bookTable)).toEqual(items);
  });

  it('lets one of several that expect the same change it', async () => {
    await put(stored);
    const change = { key, expected: { year: 1999n }, changes: { year: 2000n } };

    const results = await Promise.all(Array.from({ length: 8 }, () => updateIf(books, change)));

    const outcomes = results.map(({ outcome }) => outcome);
    expect(outcomes.toSorted()).toEqual(['changed', ...Array(7).fill('refused')]);
  });

  it('changes an item whose key is a number', async () => {
    await putItem(shelfTable, { id: 7n, room: 'attic' });

    const result = await updateIf(shelves, { key: { id: 7n }, changes: { room: 'cellar' } });

    expect(result).toEqual({ outcome: 'changed', item: { id: 7n, room: 'cellar' } });
  });

  it('fails for a damaged item, after logging it', async () => {
    await put({ ...stored, state: 'gone' });

    const refused = updateIf(books, { key, expected: { state: 'lent' }, changes: lent });

    await expect(refused).rejects.toEqual(new Error('A stored item is damaged.'));
    expect(log.errors()).toHaveLength(1);
  });

  it('compiles only with attributes of the item, except those of its key', () => {
    type Changes = Parameters<typeof updateIf<typeof books>>[1]['changes'];

    expectTypeOf<{ year: bigint; ownerAndState: string }>().toExtend<Changes>();
    expectTypeOf<{ year: string }>().not.toExtend<Changes>();
    expectTypeOf<Changes>().not.toHaveProperty('title');
    expectTypeOf<Changes>().not.toHaveProperty('colour');
  });
});

describe('deleteIf', () => {
  it('leaves only the key, the digest and the time', async () => {
    await put({ ...stored, note: 'New' });

    expect(await deleteIf(books, { key })).toEqual({ outcome: 'deleted' });

    const { digest } = stored;
    const left = { ...key, digest, deletedAt: expect.any(BigInt), lastWrite: expect.any(String) };
    expect(await allItems(bookTable)).toEqual([left]);
    expect(await deleteIf(books, { key })).toEqual({ outcome: 'absent' });
  });

  it('refuses an item that is not as expected', async () => {
    await put(stored);

    const expected = { state: 'lent' } as const;
    expect(await deleteIf(books, { key, expected })).toEqual({ outcome: 'refused', item: book });

    expect(await allItems(bookTable)).toEqual([stored]);
  });
});

describe('a write that the SDK repeats after a lost response', () => {
  it.each([
    ['changed', updateIf.name],
    ['deleted', deleteIf.name],
  ] as const)('has %s the item', async (outcome, name) => {
    await put(stored);
    await using proxy = await startLosingFirstResponse(inject('dynamodbEndpoint'));
    const loaded = await loadAt(proxy.endpoint, () => import('../../../shared/tables/change-item.ts'));
    const change = { key, expected: { state: 'there' }, changes: lent } as const;

    const result = name === 'updateIf' ? loaded.updateIf(books, change) : loaded.deleteIf(books, change);

    expect(await result).toMatchObject({ outcome });
    expect(proxy.calls()).toBe(2);
  });
});

it.each([undefined, 'none'])('sendRefusedUpdate writes nothing (stored: %s)', async (text) => {
  const items = text === undefined ? [] : [{ ...stored, owner: text, title: text }];
  for (const item of items) await put(item);

  await sendRefusedUpdate(books);

  expect(await allItems(bookTable)).toEqual(items);
});
