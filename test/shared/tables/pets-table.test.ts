import { marshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { NewPet } from '../../../shared/contract/schemas/pet.ts';
import { creationDigest, payloadDigest, petIdOf } from '../../../shared/tables/creation.ts';
import { insertPet, readPet, readPetPage } from '../../../shared/tables/pets-table.ts';
import {
  allItems,
  petItem,
  putItem,
  removeEveryPet,
  storePets,
} from '../../support/functions/stored-pets.ts';
import { loadAt, respondJson, startStubDynamodb } from '../../support/functions/stub-dynamodb.ts';

const bella = { name: 'Bella', categoryId: 9223372036854775807n, status: 'sold' } satisfies NewPet;
const creation = { client: 'acme', key: 'one' };
const id = petIdOf(creation, 0);

/** The item of the pet that the creation makes. */
const bellaItem = {
  ...petItem(id),
  categoryId: 9223372036854775807n,
  creationDigest: creationDigest(creation),
  payloadDigest: payloadDigest(bella),
};

beforeEach(removeEveryPet);

describe('insertPet', () => {
  it('stores a pet with the two digests', async () => {
    const inserted = await insertPet(bella, creation);

    expect(inserted).toEqual({ pet: { id, ...bella }, isReplay: false });
    expect(await allItems()).toEqual([bellaItem]);
  });

  it('gives back the stored pet for the same creation, and stores no other', async () => {
    await insertPet(bella, creation);

    const repeated = await insertPet(bella, creation);

    expect(repeated).toEqual({ pet: { id, ...bella }, isReplay: true });
    expect(await allItems()).toEqual([bellaItem]);
  });

  it.each([
    ['name', { ...bella, name: 'Max' }],
    ['categoryId', { ...bella, categoryId: 1n }],
    ['status', { ...bella, status: 'pending' }],
  ] as const)('refuses the same creation with another %s', async (_field, other) => {
    await insertPet(bella, creation);

    await expect(insertPet(other, creation)).rejects.toMatchObject({ code: 'idempotency_key_reused' });

    expect(await allItems()).toEqual([bellaItem]);
  });

  it('takes the next id when another creation has the first', async () => {
    const others = [petItem(id), petItem(petIdOf(creation, 1))];
    await Promise.all(others.map(putItem));

    const inserted = await insertPet(bella, creation);
    const repeated = await insertPet(bella, creation);

    const pet = { id: petIdOf(creation, 2), ...bella };
    expect([inserted, repeated]).toEqual([
      { pet, isReplay: false },
      { pet, isReplay: true },
    ]);
    const items = await allItems();
    expect(items).toHaveLength(3);
    expect(items).toEqual(expect.arrayContaining([...others, { ...bellaItem, id: pet.id }]));
  });

  it('has the existing pet from the refusal itself, and reads nothing', async () => {
    const calls: unknown[] = [];
    await using dynamodb = await startStubDynamodb(({ action, body }, response) => {
      calls.push({ action, returned: JSON.parse(body).ReturnValuesOnConditionCheckFailure });
      respondJson(response, 400, { __type: 'ConditionalCheckFailedException' });
    });
    const table = await loadAt(dynamodb.endpoint, () => import('../../../shared/tables/pets-table.ts'));

    const inserted = table.insertPet(bella, creation);

    await expect(inserted).rejects.toThrow('A stored item has invalid id, name, categoryId, status');
    expect(calls).toEqual([{ action: 'PutItem', returned: 'ALL_OLD' }]);
  });

  it('fails when the write is refused for any other reason, whatever a read would find', async () => {
    await using dynamodb = await startStubDynamodb(({ action }, response) =>
      action === 'PutItem'
        ? respondJson(response, 400, { __type: 'com.amazon.coral.service#AccessDeniedException' })
        : respondJson(response, 200, {}),
    );
    const table = await loadAt(dynamodb.endpoint, () => import('../../../shared/tables/pets-table.ts'));

    await expect(table.insertPet(bella, creation)).rejects.toMatchObject({ name: 'AccessDeniedException' });
  });
});

describe('readPet', () => {
  it('gives a pet without its digests', async () => {
    await putItem(bellaItem);

    expect(await readPet(id)).toEqual({ id, ...bella });
  });

  it('gives nothing where there is no pet', async () => {
    expect(await readPet(id)).toBeUndefined();
  });

  it('reads consistently, so that a pet is found once it is created', async () => {
    const bodies: unknown[] = [];
    await using dynamodb = await startStubDynamodb(({ body }, response) => {
      bodies.push(JSON.parse(body));
      respondJson(response, 200, {});
    });
    const table = await loadAt(dynamodb.endpoint, () => import('../../../shared/tables/pets-table.ts'));

    await table.readPet(id);

    expect(bodies).toEqual([expect.objectContaining({ ConsistentRead: true })]);
  });

  it.each([
    ['name', { name: 1 }],
    ['categoryId', { categoryId: 2n ** 63n }],
    ['status', { status: 'lost' }],
    ['name, categoryId', { name: '', categoryId: 'cats' }],
  ])('fails on a stored pet whose %s is damaged, and tells no value of it', async (fields, damage) => {
    await putItem({ ...bellaItem, ...damage });

    await expect(readPet(id)).rejects.toMatchObject({
      name: 'Error',
      message: `A stored item has invalid ${fields}.`,
    });
  });
});

describe('an int64', () => {
  const int64 = fc.oneof(
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.constantFrom(-(2n ** 63n), -(2n ** 53n) - 1n, 0n, 2n ** 53n + 1n, 2n ** 63n - 1n),
  );

  it('comes back digit for digit from the table, its index and the refusal of a second write', async () => {
    await fc.assert(
      fc.asyncProperty(int64, async (categoryId) => {
        await removeEveryPet();

        const { pet } = await insertPet({ ...bella, categoryId }, creation);
        const { pet: replayed } = await insertPet({ ...bella, categoryId }, creation);

        const { pets } = await readPetPage({ limit: 1, status: 'sold' });
        const found = [pet, replayed, await readPet(pet.id), ...pets];
        expect(found).toEqual(found.map(() => ({ id, ...bella, categoryId })));
      }),
      { numRuns: 50 },
    );
  });

  it('is sent with all of its digits', async () => {
    const sent: unknown[] = [];
    await using dynamodb = await startStubDynamodb(({ body }, response) => {
      sent.push(JSON.parse(body).Item.categoryId.N);
      respondJson(response, 200, {});
    });
    const table = await loadAt(dynamodb.endpoint, () => import('../../../shared/tables/pets-table.ts'));

    await fc.assert(
      fc.asyncProperty(int64, async (categoryId) => {
        await table.insertPet({ ...bella, categoryId }, creation);

        expect(sent.pop()).toBe(categoryId.toString());
      }),
    );
  });
});

describe('readPetPage', () => {
  it.each([
    ['one more than the page', 2, true],
    ['as many as the page', 3, false],
    ['fewer than the page', 4, false],
  ])('has a next page only if there are more pets: %s', async (_title, limit, hasNext) => {
    const pets = await storePets(['sold', 'sold', 'sold']);

    const page = await readPetPage({ limit, status: 'sold' });

    expect(page).toEqual({ pets: pets.slice(0, limit), next: hasNext ? pets[limit - 1]?.id : undefined });
  });

  it('starts after any id, a stored one or not', async () => {
    const pets = await storePets(['sold', 'sold', 'sold']);
    const [first, ...others] = pets;

    const [afterFirst, beforeFirst] = await Promise.all([
      readPetPage({ limit: 3, status: 'sold', after: first?.id }),
      readPetPage({ limit: 3, status: 'sold', after: (first?.id ?? 1n) - 1n }),
    ]);

    expect(afterFirst.pets).toEqual(others);
    expect(beforeFirst.pets).toEqual(pets);
  });

  it.each([
    ['Scan', undefined],
    ['Query', 'sold'],
  ] as const)('costs one %s of one pet more than the page, wherever it starts', async (action, status) => {
    const calls: unknown[] = [];
    await using dynamodb = await startStubDynamodb((call, response) => {
      calls.push({ action: call.action, limit: JSON.parse(call.body).Limit });
      respondJson(response, 200, { Items: [] });
    });
    const table = await loadAt(dynamodb.endpoint, () => import('../../../shared/tables/pets-table.ts'));

    await table.readPetPage({ limit: 5, status, after: 12n });

    expect(calls).toEqual([{ action, limit: 6 }]);
  });

  it('goes on after the last pet that DynamoDB gave, should it give fewer than were asked for', async () => {
    await using dynamodb = await startStubDynamodb((_call, response) =>
      respondJson(response, 200, { Items: [marshall({ id, ...bella })], LastEvaluatedKey: marshall({ id }) }),
    );
    const table = await loadAt(dynamodb.endpoint, () => import('../../../shared/tables/pets-table.ts'));

    const page = await table.readPetPage({ limit: 5 });

    expect(page).toEqual({ pets: [{ id, ...bella }], next: id });
  });

  it('fails on a damaged pet', async () => {
    await putItem({ ...bellaItem, categoryId: 'cats' });

    await expect(readPetPage({ limit: 5 })).rejects.toMatchObject({
      name: 'Error',
      message: 'A stored item has invalid categoryId.',
    });
  });
});
