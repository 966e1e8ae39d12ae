import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeCursor, encodeCursor } from '../../../../shared/contract/schemas/page-cursor.ts';
import { PetStatus } from '../../../../shared/contract/schemas/pet.ts';

const maxId = 2n ** 53n - 1n;
const id = fc.oneof(fc.constantFrom(1n, maxId), fc.bigInt({ min: 1n, max: maxId }));
const status = fc.constantFrom(undefined, ...PetStatus.options);
const base64url = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_');
const invalidCursor = expect.objectContaining({
  name: 'ApiError',
  code: 'invalid_query',
  message: 'cursor must be the one of a Link header, sent with the same status filter.',
});

/** A cursor whose checksum holds, whatever it says. */
const cursorOf = (place: string) => Buffer.from(`${place}.${crc32(place)}`).toString('base64url');

describe('page cursor', () => {
  it('gives back the id that it was made of, for the same filter alone, and is safe in a URL', () => {
    fc.assert(
      fc.property(id, status, status, (after, filter, other) => {
        const cursor = encodeCursor(after, filter);

        expect(cursor).toMatch(/^[\w-]+$/);
        expect(decodeCursor(cursor, filter)).toBe(after);
        if (filter !== other) expect(() => decodeCursor(cursor, other)).toThrow(invalidCursor);
      }),
    );
  });

  it('is refused with any character altered, cut short, and padded', () => {
    fc.assert(
      fc.property(id, status, fc.nat(), base64url, (after, filter, seed, character) => {
        const cursor = encodeCursor(after, filter);
        const index = seed % cursor.length;
        fc.pre(cursor[index] !== character);

        const cut = cursor.slice(0, index);
        const altered = cut + character + cursor.slice(index + 1);

        expect(() => decodeCursor(altered, filter)).toThrow(invalidCursor);
        expect(() => decodeCursor(cut, filter)).toThrow(invalidCursor);
        expect(() => decodeCursor(`${cursor}=`, filter)).toThrow(invalidCursor);
      }),
    );
  });

  it.each([
    '1..0',
    '1..-1',
    '1..01',
    '1..9007199254740992',
    '1..1x',
    '1..x1',
    '1',
    '2..12',
    '..12',
    '1.gone.12',
  ])('is refused when it says %j', (place) => {
    expect(() => decodeCursor(cursorOf(place), undefined)).toThrow(invalidCursor);
  });
});
