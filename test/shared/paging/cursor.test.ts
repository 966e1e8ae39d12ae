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
    ['MS4uMTIuNjUxNjU4MjM4', shelves, { id: 12n }],
    ['MS5zb2xkLjEyLjMyNzU4ODI2NTg', inRoom('sold'), { id: 12n, room: 'sold' }],
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
