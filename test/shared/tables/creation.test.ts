import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { creationDigest, isSameCreation, petIdOf } from '../../../shared/tables/creation.ts';

const bella = { status: 'available', categoryId: 9223372036854775807n, name: 'Bella' };
const acme = { client: 'acme', key: 'one', body: bella };

// A small alphabet makes equal parts, and parts that run into one another, likely.
const part = fc.string({ unit: fc.constantFrom('a', 'b', '"', ',', '\\'), maxLength: 2 });
const body = fc.record(
  {
    name: part.map((text) => `Pet ${text}`),
    categoryId: fc.bigInt({ min: -1n, max: 1n }),
    status: fc.constantFrom('available', 'sold'),
  },
  { requiredKeys: [] },
);
const creation = fc.record({ client: part, key: part, body });

// Stored pets and the retries of clients depend on these values.
describe('petIdOf', () => {
  it('is the first 53 bits of a SHA-256', () => {
    expect(petIdOf(acme, 0)).toBe(2660864633451424n);
    expect(petIdOf(acme, 1)).toBe(5221181055321098n);
  });

  it('differs exactly with the client, the key or the attempt', () => {
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
  it('has 16 bytes for client and key, then 16 for the fields in any order', () => {
    expect(Buffer.from(creationDigest(acme)).toString('hex')).toBe(
      'fd94f8552c302ba8141f83097e1699c299036f3096ec3da8b1e103dd7a855a9a',
    );
  });

  it('identifies the creation by client and key', () => {
    fc.assert(
      fc.property(creation, creation, (one, other) => {
        const isSame = one.client === other.client && one.key === other.key;

        expect(isSameCreation(creationDigest(one), creationDigest(other))).toBe(isSame);
      }),
      { numRuns: 1000 },
    );
  });

  it('identifies the payload by its fields as sent', () => {
    fc.assert(
      fc.property(creation, body, (one, other) => {
        const { name, categoryId, status } = one.body;
        const isSame = name === other.name && categoryId === other.categoryId && status === other.status;

        const digests = [one, { ...one, body: other }].map((each) => Buffer.from(creationDigest(each)));

        expect(digests[0]?.equals(digests[1] ?? new Uint8Array())).toBe(isSame);
      }),
      { numRuns: 1000 },
    );
  });

  it('ignores unknown fields', () => {
    expect(creationDigest({ ...acme, body: { ...bella, colour: 'brown' } })).toEqual(creationDigest(acme));
  });
});
