import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { NewPet } from '../../../shared/contract/schemas/pet.ts';
import { dynamodb } from '../../../shared/lambda/dynamodb.ts';
import { creationDigest, payloadDigest, petIdOf } from '../../../shared/tables/creation.ts';
import { insertNothing, insertPet, readPet, readPetPage } from '../../../shared/tables/pets-table.ts';
import { allItems, putPet, removeEveryPet, storePets } from '../../support/functions/stored-pets.ts';

const bella = { name: 'Bella', categoryId: 9223372036854775807n, status: 'sold' } satisfies NewPet;
const creation = { client: 'acme', key: 'one' };
const id = petIdOf(creation, 0);

/** The item of the pet that the creation makes. */
const bellaItem = {
  id,
  ...bella,
  creationDigest: creationDigest(creation),
  payloadDigest: payloadDigest(bella),
};

beforeEach(removeEveryPet);
afterEach(() => {
  vi.restoreAllMocks();
});

describe('insertPet', () => {
  it('stores a pet with the two digests, and gives it back to the same creation, or refuses another', async () => {
    const inserted = await insertPet(bella, creation);
    const repeated = await insertPet(bella, creation);
    const reused = insertPet({ ...bella, name: 'Max' }, creation);

    expect(inserted).toEqual({ pet: { id, ...bella }, isReplay: false });
    expect(repeated).toEqual({ pet: { id, ...bella }, isReplay: true });
    await expect(reused).rejects.toMatchObject({ code: 'idempotency_key_reused' });
    expect(await allItems()).toEqual([bellaItem]);
  });

  it('takes the next id when another creation has the first', async () => {
    const others = [await putPet(id), await putPet(petIdOf(creation, 1))];

    const inserted = await insertPet(bella, creation);
    const repeated = await insertPet(bella, creation);

    const pet = { id: petIdOf(creation, 2), ...bella };
    expect([inserted, repeated]).toEqual([
      { pet, isReplay: false },
      { pet, isReplay: true },
    ]);
    expect(new Set(await allItems())).toEqual(new Set([...others, { ...bellaItem, ...pet }]));
  });

  it('fails when the write is refused for any other reason', async () => {
    const denied = new Error('no permission');
    vi.spyOn(dynamodb, 'send').mockRejectedValueOnce(denied);

    await expect(insertPet(bella, creation)).rejects.toBe(denied);
  });
});

it('insertNothing writes nothing', async () => {
  await insertNothing();

  expect(await allItems()).toEqual([]);
});

it('readPet gives a pet without its digests, and reads it consistently', async () => {
  await putPet(id, bellaItem);
  const send = vi.spyOn(dynamodb, 'send');

  expect(await readPet(id)).toEqual({ id, ...bella });

  expect(send.mock.calls).toMatchObject([[{ input: { ConsistentRead: true } }]]);
});

it('a damaged pet is not read, by its id or on a page, and no value of it is told', async () => {
  await putPet(id, { name: '', categoryId: 'cats' });
  const damage = new Error('A stored item has invalid name, categoryId.');

  await expect(readPet(id)).rejects.toEqual(damage);
  await expect(readPetPage({ limit: 5 })).rejects.toEqual(damage);
});

it('an int64 comes back digit for digit from the table, its index and the failed condition of a second write', async () => {
  await fc.assert(
    fc.asyncProperty(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), async (categoryId) => {
      await removeEveryPet();

      const { pet } = await insertPet({ ...bella, categoryId }, creation);
      const { pet: replayed } = await insertPet({ ...bella, categoryId }, creation);

      const { pets } = await readPetPage({ limit: 1, status: 'sold' });
      const found = [pet, replayed, await readPet(pet.id), ...pets];
      expect(found).toEqual(Array(4).fill({ id, ...bella, categoryId }));
    }),
    { numRuns: 15, examples: [[-(2n ** 63n)], [-(2n ** 53n) - 1n], [2n ** 53n + 1n], [2n ** 63n - 1n]] },
  );
});

describe('readPetPage', () => {
  it('starts after any id, a stored one or not, and has a next page only if there are more pets', async () => {
    const pets = await storePets(['sold', 'sold', 'sold']);
    const { id: first } = pets[0] ?? { id: 0n };

    const [two, all, afterFirst] = await Promise.all([
      readPetPage({ limit: 2, status: 'sold' }),
      readPetPage({ limit: 3, status: 'sold', after: first - 1n }),
      readPetPage({ limit: 3, status: 'sold', after: first }),
    ]);

    expect(two).toEqual({ pets: pets.slice(0, 2), next: pets[1]?.id });
    expect(all).toEqual({ pets, next: undefined });
    expect(afterFirst).toEqual({ pets: pets.slice(1), next: undefined });
  });

  it.each([
    ['Scan', undefined, { ExclusiveStartKey: { id: 12n } }],
    ['Query', 'sold', { IndexName: 'byStatus', ExclusiveStartKey: { id: 12n, status: 'sold' } }],
  ] as const)('costs one %s of a pet more than the page', async (_kind, status, input) => {
    const send = vi.spyOn(dynamodb, 'send');

    await readPetPage({ limit: 5, status, after: 12n });

    expect(send.mock.calls).toMatchObject([[{ input: { Limit: 6, ...input } }]]);
  });

  it('goes on after the last pet that DynamoDB gave, should it give fewer than were asked for', async () => {
    const response = { Items: [{ id, ...bella }], LastEvaluatedKey: { id }, $metadata: {} };
    vi.spyOn(dynamodb, 'send').mockResolvedValueOnce(response);

    const page = await readPetPage({ limit: 5 });

    expect(page).toEqual({ pets: [{ id, ...bella }], next: id });
  });
});
