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

it('ids and digests differ exactly when client, key, attempt or sent fields do', () => {
  // Few values make equal and ambiguously joined parts likely.
  const part = fc.constantFrom('', 'a', '"', '","');
  const fields = { name: fc.constantFrom('a', 'b'), status: fc.constantFrom('available', 'sold') };
  const body = fc.record(fields, { requiredKeys: [] });
  const creation = fc.record({ client: part, key: part, body, attempt: fc.nat(1) });

  fc.assert(
    fc.property(creation, creation, (one, other) => {
      const isSameOrigin = one.client === other.client && one.key === other.key;
      const isSameBody = one.body.name === other.body.name && one.body.status === other.body.status;
      const [digest, otherDigest] = [creationDigest(one), creationDigest(other)];

      const hasSameId = petIdOf(one, one.attempt) === petIdOf(other, other.attempt);
      expect(hasSameId).toBe(isSameOrigin && one.attempt === other.attempt);
      expect(isSameCreation(digest, otherDigest)).toBe(isSameOrigin);
      expect(Buffer.compare(digest, otherDigest) === 0).toBe(isSameOrigin && isSameBody);
    }),
    { numRuns: 2000 },
  );
});
