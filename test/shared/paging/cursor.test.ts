import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeCursor, encodeCursor, type List } from '../../../shared/paging/cursor.ts';
import { codePoint } from '../../support/fuzz/code-point.ts';
import { bookTable, shelfTable } from '../../support/tables/library.ts';

const shelves: List = { table: shelfTable, key: shelfTable.key, partition: undefined };
const inRoom = (room: string): List => ({
  table: shelfTable,
  key: shelfTable.indexes.byRoom,
  partition: room,
});
const byYear = (owner: string): List => ({
  table: bookTable,
  key: bookTable.indexes.byYear,
  partition: owner,
});

const text = fc.oneof(
  fc.string({ unit: codePoint, minLength: 1, maxLength: 20 }),
  fc.string({ unit: fc.constantFrom('%', '2', '5', 'C', 'E', ',', '.'), minLength: 1, maxLength: 8 }),
);
const base64url = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_');
const invalidCursor = expect.objectContaining({
  name: 'ApiError',
  code: 'invalid_query',
  message: 'cursor must come from a Link header and be sent with the same filters.',
});

describe('a cursor', () => {
  // Clients follow links across releases.
  it.each([
    ['MS5pZC4uMTIuMjM1MjY1MzQ0MQ', shelves, { id: 12n }],
    ['MS5yb29tLGlkLnNvbGQuMTIuMzg2OTkzMjQ3', inRoom('sold'), { id: 12n, room: 'sold' }],
  ])('is %s in every release', (cursor, list, item) => {
    expect(encodeCursor(list, { ...item, label: 'Bella' })).toBe(cursor);
    expect(decodeCursor(list, cursor)).toEqual(item);
  });

  it('is safe in a URL, and keeps every key for its own list only', () => {
    fc.assert(
      fc.property(text, text, fc.bigInt(), text, (owner, title, year, other) => {
        const item = { owner, title, year };
        const cursor = encodeCursor(byYear(owner), item);

        expect(cursor).toMatch(/^[\w-]+$/);
        expect(decodeCursor(byYear(owner), cursor)).toEqual(item);
        if (other !== owner) expect(() => decodeCursor(byYear(other), cursor)).toThrow(invalidCursor);
        expect(() => decodeCursor(shelves, cursor)).toThrow(invalidCursor);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ['field', { partition: 'label', sort: 'floor' }],
    ['order', { partition: 'room', sort: 'label' }],
  ])('is rejected by a list with the same value and another %s', (_difference, key) => {
    const keyTypes = { id: 'N', room: 'S', label: 'S', floor: 'S' } as const;
    const table = { ...shelfTable, keyTypes };
    const item = { id: 12n, room: 'red', label: 'red', floor: 'red' };

    const cursor = encodeCursor({ table, key: { partition: 'room', sort: 'floor' }, partition: 'red' }, item);

    expect(() => decodeCursor({ table, key, partition: 'red' }, cursor)).toThrow(invalidCursor);
  });

  it('is rejected when altered, cut short or padded', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.nat(), base64url, (id, seed, character) => {
        const cursor = encodeCursor(shelves, { id });
        const index = seed % cursor.length;
        fc.pre(cursor[index] !== character);

        const cut = cursor.slice(0, index);
        for (const altered of [cut + character + cursor.slice(index + 1), cut, `${cursor}=`]) {
          expect(() => decodeCursor(shelves, altered)).toThrow(invalidCursor);
        }
      }),
    );
  });
});
