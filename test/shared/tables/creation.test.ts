import fc from 'fast-check';
import { expect, it } from 'vitest';
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

// Stored pets and the retries of clients rest on these values.
it('ids and digests are the first bits of a SHA-256, whatever the order of fields', () => {
  const acme = { client: 'acme', key: 'one' };
  const pet = { status: 'available', categoryId: 9223372036854775807n, name: 'Bella' } as const;

  expect(petIdOf(acme, 0)).toBe(2660864633451424n);
  expect(petIdOf(acme, 1)).toBe(5221181055321098n);
  expect(hex(creationDigest(acme))).toBe('fd94f8552c302ba8141f83097e1699c2');
  expect(hex(payloadDigest(pet))).toBe('99036f3096ec3da8b1e103dd7a855a9a');
});

it('an id and a creation digest differ exactly where the client or the key does, an id by the attempt too', () => {
  fc.assert(
    fc.property(creation, fc.nat(1), creation, fc.nat(1), (one, attempt, other, otherAttempt) => {
      const isSame = one.client === other.client && one.key === other.key;

      const [id, otherId] = [petIdOf(one, attempt), petIdOf(other, otherAttempt)];

      expect(id > 0n && id < 2n ** 53n).toBe(true);
      expect(id === otherId).toBe(isSame && attempt === otherAttempt);
      expect(hex(creationDigest(one)) === hex(creationDigest(other))).toBe(isSame);
    }),
    { numRuns: 1000 },
  );
});

it('a payload digest differs exactly where a field does', () => {
  fc.assert(
    fc.property(newPet, newPet, (one, other) => {
      const isSame =
        one.name === other.name && one.categoryId === other.categoryId && one.status === other.status;

      expect(hex(payloadDigest(one)) === hex(payloadDigest(other))).toBe(isSame);
    }),
    { numRuns: 1000 },
  );
});
