import { beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { creationDigest, idFor } from '../../../shared/tables/creation-digest.ts';
import { dynamodb } from '../../../shared/tables/dynamodb.ts';
import { insertOnce, sendRefusedPut } from '../../../shared/tables/insert-once.ts';
import { captureLog } from '../../support/functions/capture-log.ts';
import { allItems, type Item, putItem, removeEveryItem } from '../../support/functions/stored-items.ts';
import { loadAt, startLosingFirstResponse } from '../../support/functions/stub-dynamodb.ts';
import { bookTable, createTable } from '../../support/tables/library.ts';

captureLog();
const books = await createTable(bookTable);

const body = { year: -(2n ** 63n), state: 'there' as const };
const creation = { client: 'acme', idempotencyKey: 'one', body };
const otherBody = { ...creation, body: { ...body, note: 'New' } };
const titleOf = (collisions: number) => `t${idFor(creation, collisions)}`;

/** Inserts the book that a creation makes, with an attribute that is only in a key. */
const insertBook = (request: Parameters<typeof insertOnce>[1] = creation) =>
  insertOnce(books, request, (id) => ({
    owner: 'ann',
    title: `t${id}`,
    ownerAndState: 'ann#there',
    ...body,
  }));

const book = { owner: 'ann', title: titleOf(0), ...body };
const digest = creationDigest(creation);
const put = (attributes: Item) => putItem(bookTable, { ...book, ...attributes });

const reused =
  'This Idempotency-Key was used before with another body: repeat that body, or send a new key to create another.';

beforeEach(() => removeEveryItem(bookTable));

describe('insertOnce', () => {
  it('returns what the schema describes, first and when repeated', async () => {
    const inserted = await insertBook();
    const repeated = await insertBook();

    expect(inserted).toEqual({ item: book, isReplay: false });
    expect(repeated).toEqual({ item: book, isReplay: true });
    const stored = { ...book, ownerAndState: 'ann#there', digest, lastWrite: expect.any(String) };
    expect(await allItems(bookTable)).toEqual([stored]);
  });

  it('makes an item for each request without a key', async () => {
    const withoutKey = { ...creation, idempotencyKey: undefined };

    const inserted = [await insertBook(withoutKey), await insertBook(withoutKey)];

    expect(inserted).toMatchObject([{ isReplay: false }, { isReplay: false }]);
    expect(await allItems(bookTable)).toHaveLength(2);
  });

  it('takes the next id when other creations have the first two', async () => {
    const digestOfOther = new Uint8Array(32);
    await put({ digest: digestOfOther });
    await put({ title: titleOf(1), digest: digestOfOther });

    const inserted = await insertBook();
    const repeated = await insertBook();

    const item = { ...book, title: titleOf(2) };
    expect(inserted).toEqual({ item, isReplay: false });
    expect(repeated).toEqual({ item, isReplay: true });
    expect(await allItems(bookTable)).toHaveLength(3);
  });

  it('recognizes its own write when the SDK repeats it after a lost response', async () => {
    await using proxy = await startLosingFirstResponse(inject('dynamodbEndpoint'));
    const { insertOnce } = await loadAt(
      proxy.endpoint,
      () => import('../../../shared/tables/insert-once.ts'),
    );

    const inserted = await insertOnce(books, creation, (id) => ({ owner: 'ann', title: `t${id}`, ...body }));

    expect(proxy.calls()).toBe(2);
    expect(inserted).toEqual({ item: book, isReplay: false });
  });

  it('creates no second item if the stored digest is damaged', async () => {
    await put({ digest: new Uint8Array(16) });

    await expect(insertBook()).rejects.toEqual(new Error('A stored item is damaged.'));

    expect(await allItems(bookTable)).toHaveLength(1);
  });

  it.each([
    ['the same body', creation],
    ['another body', otherBody],
  ])('fails if what it made is damaged, whether it is repeated with %s', async (_title, retry) => {
    await put({ digest, state: 'burnt' });

    await expect(insertBook(retry)).rejects.toEqual(new Error('A stored item is damaged.'));
  });

  it('fails when the write is rejected for any other reason', async () => {
    const denied = new Error('no permission');
    vi.spyOn(dynamodb, 'send').mockRejectedValueOnce(denied);

    await expect(insertBook()).rejects.toBe(denied);
  });
});

describe('a digest', () => {
  const hex = Buffer.from(digest).toString('hex');
  const store = (text: string) => put({ digest: new Uint8Array(Buffer.from(text, 'hex')) });

  it.each([
    ['with another body', `${hex}01`],
    ['longer than any so far', `${hex.slice(0, 32)}${'00'.repeat(40)}ff`],
  ])('of an unknown format makes a retry a replay, %s', async (_title, text) => {
    await store(text);

    expect(await insertBook(otherBody)).toEqual({ item: book, isReplay: true });
  });

  it('of an unknown format belongs to another creation if its first half differs', async () => {
    await store(`${hex.startsWith('00') ? 'ff' : '00'}${hex.slice(2)}01`);

    const { item, isReplay } = await insertBook();

    expect({ title: item.title, isReplay }).toEqual({ title: titleOf(1), isReplay: false });
  });

  it('of another body rejects the create', async () => {
    await insertBook();

    await expect(insertBook(otherBody)).rejects.toMatchObject({
      code: 'idempotency_key_reused',
      message: reused,
    });
  });
});

describe('a deleted item', () => {
  const tombstone = { owner: 'ann', title: titleOf(0), deletedAt: 1n };

  it.each([
    ['the same body', creation],
    ['another body', otherBody],
  ])('is not created again by a late retry with %s', async (_title, retry) => {
    const item = await putItem(bookTable, { ...tombstone, digest });

    await expect(insertBook(retry)).rejects.toMatchObject({
      code: 'already_deleted',
      message: 'What this Idempotency-Key created has been deleted: send a new key to create another.',
    });

    expect(await allItems(bookTable)).toEqual([item]);
  });

  it('leaves the next id to another creation', async () => {
    await putItem(bookTable, { ...tombstone, digest: new Uint8Array(32) });

    expect(await insertBook()).toMatchObject({ item: { title: titleOf(1) } });
  });
});

it.each([undefined, 'none'])('sendRefusedPut writes nothing (stored: %s)', async (stored) => {
  const items = stored === undefined ? [] : [await put({ owner: stored, title: stored })];

  await sendRefusedPut(books);

  expect(await allItems(bookTable)).toEqual(items);
});
