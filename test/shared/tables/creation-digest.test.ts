import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareDigests, creationDigest, idFor } from '../../../shared/tables/creation-digest.ts';

const bella = { status: 'available', categoryId: 9223372036854775807n, name: 'Bella' };
const acme = { client: 'acme', idempotencyKey: 'one', body: bella };

// Stored pets and the retries of clients depend on these values.
it('idFor returns the first 53 bits of a SHA-256', () => {
  expect(idFor(acme, 0)).toBe(2660864633451424n);
  expect(idFor(acme, 1)).toBe(5221181055321098n);
});

it('creationDigest is 16 bytes of client and idempotency key, then 16 of the canonical body', () => {
  const body = { ...bella, tags: ['old', null, { is: true, a: 1.5 }] };
  const digest = creationDigest({ ...acme, body });

  expect(Buffer.from(digest).toString('hex')).toBe(
    'fd94f8552c302ba8141f83097e1699c28387c0b23448cdedc77cf245f68aa91c',
  );
});

it('ids and digests differ exactly when client, key, collisions or body do', () => {
  // Few values make equal and ambiguously joined parts likely.
  const part = fc.constantFrom('', 'a', '"', '","');
  const member = fc.oneof(part, fc.constantFrom(1n, 2n ** 53n, 2n ** 53n + 1n, 1.5, Infinity, null, true));
  const name = fc.constantFrom('a', 'b');
  const nested = fc.oneof(
    member,
    fc.array(member, { maxLength: 2 }),
    fc.dictionary(name, member, { noNullPrototype: true }),
  );
  const body = fc.dictionary(name, nested, { noNullPrototype: true });
  const creation = fc.record({ client: part, idempotencyKey: part, body, collisions: fc.nat(1) });

  fc.assert(
    fc.property(creation, creation, (one, other) => {
      const isSameOrigin = one.client === other.client && one.idempotencyKey === other.idempotencyKey;
      const isSameBody = isDeepStrictEqual(one.body, other.body);
      const digest = creationDigest(one);
      const otherDigest = creationDigest(other);

      const hasSameId = idFor(one, one.collisions) === idFor(other, other.collisions);
      expect(hasSameId).toBe(isSameOrigin && one.collisions === other.collisions);
      const difference = isSameBody ? 'same' : 'other body';
      expect(compareDigests(digest, otherDigest)).toBe(isSameOrigin ? difference : 'other creation');
      expect(Buffer.compare(digest, otherDigest) === 0).toBe(isSameOrigin && isSameBody);
    }),
    { numRuns: 2000 },
  );
});
