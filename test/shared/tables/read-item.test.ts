import { NumberValue } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { dynamodb } from '../../../shared/tables/dynamodb.ts';
import { readItem } from '../../../shared/tables/read-item.ts';
import { captureLog } from '../../support/functions/capture-log.ts';
import { putItem, removeEveryItem } from '../../support/functions/stored-items.ts';
import { bookTable, createTable } from '../../support/tables/library.ts';

const log = captureLog();
const books = await createTable(bookTable);
const key = { owner: 'ann', title: 'a' };
const book = { ...key, year: 1999n, state: 'there' };

beforeEach(() => removeEveryItem(bookTable));

describe('readItem', () => {
  it('reads consistently what the schema describes', async () => {
    await putItem(bookTable, { ...book, digest: new Uint8Array(32), ownerAndState: 'ann#there' });
    const send = vi.spyOn(dynamodb, 'send');

    expect(await readItem(books, key)).toEqual(book);

    expect(send.mock.calls).toMatchObject([[{ input: { ConsistentRead: true } }]]);
  });

  it.each([
    ['was deleted', { ...key, deletedAt: 1n }],
    ['does not exist', { ...book, title: 'b' }],
  ])('finds no item that %s', async (_title, stored) => {
    await putItem(bookTable, stored);

    expect(await readItem(books, key)).toBeUndefined();
    expect(log.errors()).toEqual([]);
  });

  it('logs a damaged item by its key and invalid attributes, without values', async () => {
    await putItem(bookTable, { ...book, year: new NumberValue('1.5'), state: 'sold' });

    await expect(readItem(books, key)).rejects.toEqual(new Error('A stored item is damaged.'));

    expect(log.errors().map((line) => JSON.parse(line))).toEqual([
      {
        message: 'A stored item is damaged.',
        table: 'books',
        key: 'ann,a',
        attributes: 'year, state',
        coldStart: expect.any(Boolean),
      },
    ]);
  });
});
