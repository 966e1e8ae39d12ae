import fc from 'fast-check';
import { expect, it } from 'vitest';
import { creationDigest, isSameCreation, petIdOf } from '../../../shared/tables/creation.ts';

const bella = { status: 'available', categoryId: 9223372036854775807n, name: 'Bella' };
const acme = { client: 'acme', key: 'one', body: bella };

// Stored pets and the retries of clients depend on these values.
it('petIdOf returns the first 53 bits of a SHA-256', () => {
  expect(petIdOf(acme, 0)).toBe(2660864633451424n);
  expect(petIdOf(acme, 1)).toBe(5221181055321098n);
});

it('creationDigest is 16 bytes of client and key, then 16 of the known fields', () => {
  const digest = creationDigest({ ...acme, body: { ...bella, colour: 'brown' } });

  expect(Buffer.from(digest).toString('hex')).toBe(
    'fd94f8552c302ba8141f83097e1699c299036f3096ec3da8b1e103dd7a855a9a',
  );
});

it('ids and digests differ exactly with client, key, attempt or fields as sent', () => {
  // A small alphabet makes equal and ambiguously joined parts likely.
  const part = fc.string({ unit: fc.constantFrom('a', 'b', '"', ',', '\\'), maxLength: 2 });
  const origin = fc.record({ client: part, key: part });
  const body = fc.record(
    {
      name: part.map((text) => `Pet ${text}`),
      categoryId: fc.bigInt({ min: -1n, max: 1n }),
      status: fc.constantFrom('available', 'sold'),
    },
    { requiredKeys: [] },
  );
  const pair = <T>(values: fc.Arbitrary<T>) =>
    fc.oneof(
      fc.tuple(values, values),
      values.map((value) => [value, value]),
    );

  fc.assert(
    fc.property(pair(origin), pair(body), fc.nat(1), fc.nat(1), (origins, bodies, attempt, otherAttempt) => {
      const [one, other] = [
        { ...origins[0], body: bodies[0] },
        { ...origins[1], body: bodies[1] },
      ];
      const isSameOrigin = one.client === other.client && one.key === other.key;
      const isSameBody = (['name', 'categoryId', 'status'] as const).every(
        (name) => one.body?.[name] === other.body?.[name],
      );
      const [digest, otherDigest] = [creationDigest(one), creationDigest(other)];

      expect(petIdOf(one, attempt) === petIdOf(other, otherAttempt)).toBe(
        isSameOrigin && attempt === otherAttempt,
      );
      expect(isSameCreation(digest, otherDigest)).toBe(isSameOrigin);
      expect(Buffer.compare(digest, otherDigest) === 0).toBe(isSameOrigin && isSameBody);
    }),
    { numRuns: 1000 },
  );
});
