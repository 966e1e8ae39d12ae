import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeCursor, encodeCursor } from '../../../../shared/contract/schemas/page-cursor.ts';

const position = fc.string({ unit: fc.constantFrom('1', '-', '.', ',', 'a', '\\'), maxLength: 4 });
const value = fc.option(fc.string({ unit: fc.constantFrom('1', '.', ',', 'a', '\\'), minLength: 1 }), {
  nil: undefined,
});
const filter = fc.record({ status: value, colour: value });
const base64url = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_');
const invalidCursor = expect.objectContaining({
  name: 'ApiError',
  code: 'invalid_query',
  message: 'cursor must come from a Link header and be sent with the same filters.',
});

describe('page cursor', () => {
  // Clients follow links across releases.
  it.each([
    ['MS4uMTIuNjUxNjU4MjM4', {}],
    ['MS5zb2xkLjEyLjMyNzU4ODI2NTg', { status: 'sold' }],
    ['MS5zb2xkLjEyLjMyNzU4ODI2NTg', { status: 'sold', added: undefined }],
  ])('is %s for 12 and %j in every release', (cursor, status) => {
    expect(encodeCursor('12', status)).toBe(cursor);
  });

  it('is safe in a URL, and decodes to its position for the same filter only', () => {
    fc.assert(
      fc.property(position, filter, filter, (after, own, other) => {
        const cursor = encodeCursor(after, own);
        const isSame = own.status === other.status && own.colour === other.colour;

        expect(cursor).toMatch(/^[\w-]+$/);
        expect(decodeCursor(cursor, own)).toBe(after);
        if (!isSame) expect(() => decodeCursor(cursor, other)).toThrow(invalidCursor);
      }),
      { numRuns: 1000 },
    );
  });

  it('is rejected when altered, cut short or padded', () => {
    fc.assert(
      fc.property(position, filter, fc.nat(), base64url, (after, own, seed, character) => {
        const cursor = encodeCursor(after, own);
        const index = seed % cursor.length;
        fc.pre(cursor[index] !== character);

        const cut = cursor.slice(0, index);
        for (const text of [cut + character + cursor.slice(index + 1), cut, `${cursor}=`]) {
          expect(() => decodeCursor(text, own)).toThrow(invalidCursor);
        }
      }),
    );
  });
});
