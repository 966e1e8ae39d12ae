import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeCursor, encodeCursor } from '../../../../shared/contract/schemas/page-cursor.ts';
import { PetStatus } from '../../../../shared/contract/schemas/pet.ts';

const id = fc.bigInt({ min: -(10n ** 19n) + 1n, max: 10n ** 19n - 1n });
const status = fc.constantFrom(undefined, ...PetStatus.options);
const base64url = fc.constantFrom(...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_');
const invalidCursor = expect.objectContaining({
  name: 'ApiError',
  code: 'invalid_query',
  message: 'cursor must come from a Link header and be sent with the same status filter.',
});

describe('page cursor', () => {
  it('is safe in a URL, and decodes to its id for the same filter only', () => {
    fc.assert(
      fc.property(id, status, status, (after, filter, other) => {
        const cursor = encodeCursor(after, filter);

        expect(cursor).toMatch(/^[\w-]+$/);
        expect(decodeCursor(cursor, filter)).toBe(after);
        if (filter !== other) expect(() => decodeCursor(cursor, other)).toThrow(invalidCursor);
      }),
    );
  });

  it('is rejected when altered, cut short or padded', () => {
    fc.assert(
      fc.property(id, status, fc.nat(), base64url, (after, filter, seed, character) => {
        const cursor = encodeCursor(after, filter);
        const index = seed % cursor.length;
        fc.pre(cursor[index] !== character);

        const cut = cursor.slice(0, index);
        for (const text of [cut + character + cursor.slice(index + 1), cut, `${cursor}=`]) {
          expect(() => decodeCursor(text, filter)).toThrow(invalidCursor);
        }
      }),
    );
  });

  it.each(['1..-0', '1..01', '1..10000000000000000000', '1..1x', '1..x1', '1', '2..12', '..12', '1.gone.12'])(
    'is rejected when it contains %j with a valid checksum',
    (place) => {
      const cursor = Buffer.from(`${place}.${crc32(place)}`).toString('base64url');

      expect(() => decodeCursor(cursor, undefined)).toThrow(invalidCursor);
    },
  );
});
