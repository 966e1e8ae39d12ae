import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NewPet } from '../../../shared/contract/schemas/pet.ts';
import { creationDigest, payloadDigest, petIdOf } from '../../../shared/tables/creation.ts';

// A small alphabet makes equal parts, and parts that run into one another, likely.
const part = fc.string({ unit: fc.constantFrom('a', 'b', '"', ',', '\\'), maxLength: 2 });
const creation = fc.record({ client: part, key: part });
const newPet = fc.record({
  name: part,
  categoryId: fc.bigInt({ min: -1n, max: 1n }),
  status: fc.constantFrom('available', 'sold') satisfies fc.Arbitrary<NewPet['status']>,
});

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

describe('petIdOf', () => {
  it.each([
    [0, 2660864633451424n],
    [1, 5221181055321098n],
  ])('is the first 53 bits of SHA-256 over client, key and the attempt %i', (attempt, id) => {
    expect(petIdOf({ client: 'acme', key: 'one' }, attempt)).toBe(id);
  });

  it('is positive and below 2^53', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.nat(), (client, key, attempt) => {
        const id = petIdOf({ client, key }, attempt);

        expect(id).toBeGreaterThan(0n);
        expect(id).toBeLessThan(2n ** 53n);
      }),
    );
  });

  it('differs exactly where the client, the key or the attempt does', () => {
    fc.assert(
      fc.property(creation, fc.nat(1), creation, fc.nat(1), (one, attempt, other, otherAttempt) => {
        const isSame = one.client === other.client && one.key === other.key && attempt === otherAttempt;

        expect(petIdOf(one, attempt) === petIdOf(other, otherAttempt)).toBe(isSame);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('creationDigest', () => {
  it('is the first 16 bytes of the SHA-256 over client and key', () => {
    expect(hex(creationDigest({ client: 'acme', key: 'one' }))).toBe('fd94f8552c302ba8141f83097e1699c2');
  });

  it('differs exactly where the client or the key does', () => {
    fc.assert(
      fc.property(creation, creation, (one, other) => {
        const isSame = one.client === other.client && one.key === other.key;

        expect(hex(creationDigest(one)) === hex(creationDigest(other))).toBe(isSame);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('payloadDigest', () => {
  it('is the first 16 bytes of the SHA-256 over the pet as JSON, whatever the order of its fields', () => {
    const pet = { status: 'available', categoryId: 9223372036854775807n, name: 'Bella' } as const;

    expect(hex(payloadDigest(pet))).toBe('99036f3096ec3da8b1e103dd7a855a9a');
  });

  it('differs exactly where a field does', () => {
    fc.assert(
      fc.property(newPet, newPet, (one, other) => {
        const isSame =
          one.name === other.name && one.categoryId === other.categoryId && one.status === other.status;

        expect(hex(payloadDigest(one)) === hex(payloadDigest(other))).toBe(isSame);
      }),
      { numRuns: 1000 },
    );
  });
});
