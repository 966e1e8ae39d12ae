import { beforeEach, describe, expect, it, vi } from 'vitest';
import { examplePet } from '../../../shared/contract/operations.ts';
import { dynamodb } from '../../../shared/lambda/dynamodb.ts';
import { creationDigest, petIdOf } from '../../../shared/tables/creation.ts';
import { insertNothing, insertPet, readPet, readPetPage } from '../../../shared/tables/pets-table.ts';
import { captureLog } from '../../support/functions/capture-log.ts';
import { allItems, putPet, removeEveryPet } from '../../support/functions/stored-pets.ts';

const log = captureLog();

// JSON's own numbers would round this category.
const { id: _id, ...bella } = { ...examplePet, categoryId: -(2n ** 63n), status: 'sold' as const };
const creation = { client: 'acme', key: 'one', body: bella };
const id = petIdOf(creation, 0);

/** The item of the pet that the creation makes. */
const bellaItem = { id, ...bella, digest: creationDigest(creation) };

beforeEach(removeEveryPet);

describe('insertPet', () => {
  it('takes the next id when other creations have the first two', async () => {
    const others = [await putPet(id), await putPet(petIdOf(creation, 1))];

    const inserted = await insertPet(bella, creation);
    const repeated = await insertPet(bella, creation);

    const pet = { id: petIdOf(creation, 2), ...bella };
    expect(inserted).toEqual({ pet, isReplay: false });
    expect(repeated).toEqual({ pet, isReplay: true });
    expect(new Set(await allItems())).toEqual(new Set([...others, { ...bellaItem, ...pet }]));
  });

  it('creates no second pet if the stored digest is damaged', async () => {
    await putPet(id, { digest: new Uint8Array(16) });

    await expect(insertPet(bella, creation)).rejects.toEqual(new Error('A stored item is damaged.'));

    expect(await allItems()).toHaveLength(1);
  });

  it('fails when the write is rejected for any other reason', async () => {
    const denied = new Error('no permission');
    vi.spyOn(dynamodb, 'send').mockRejectedValueOnce(denied);

    await expect(insertPet(bella, creation)).rejects.toBe(denied);
  });
});

it('insertNothing writes nothing', async () => {
  await insertNothing();

  expect(await allItems()).toEqual([]);
});

it('readPet reads a pet consistently, without its digest', async () => {
  await putPet(id, bellaItem);
  const send = vi.spyOn(dynamodb, 'send');

  const pet = await readPet(id);

  expect(pet).toEqual({ id, ...bella });
  expect(send.mock.calls).toMatchObject([[{ input: { ConsistentRead: true } }]]);
});

it('readPet logs a damaged pet by its id and invalid attributes, without values', async () => {
  await putPet(12n, { name: ' ', status: 'lost' });

  await readPet(12n).catch(() => undefined);

  expect(log.errors().map((line) => JSON.parse(line))).toEqual([
    {
      message: 'A stored item is damaged.',
      table: 'pets',
      key: '12',
      attributes: 'name, status',
      coldStart: expect.any(Boolean),
    },
  ]);
});

it.each([
  ['Scan', undefined, { ExclusiveStartKey: { id: 12n } }],
  ['Query', 'sold', { IndexName: 'byStatus', ExclusiveStartKey: { id: 12n, status: 'sold' } }],
] as const)('readPetPage is one %s for the status %s', async (_kind, status, input) => {
  const send = vi.spyOn(dynamodb, 'send');

  await readPetPage({ limit: 5, after: '12', status });

  expect(send.mock.calls).toMatchObject([[{ input: { Limit: 6, ...input } }]]);
});

it.each([
  [20, undefined, 0.5],
  [20, 'available', 0.5],
  [100, undefined, 1.5],
  [100, 'available', 1.5],
] as const)('a page of %i pets with the status %s takes %f read units', async (limit, status, readUnits) => {
  // As many digits as most ids have.
  const ids = Array.from({ length: 101 }, (_, index) => 2n ** 52n + BigInt(index));
  await Promise.all(ids.map((petId) => putPet(petId, { status: 'available' })));
  const send = vi.spyOn(dynamodb, 'send');
  await readPetPage({ limit, after: undefined, status });
  const [[command] = []] = send.mock.calls;

  Object.assign(Object(command?.input), { ReturnConsumedCapacity: 'TOTAL' });
  const output = await dynamodb.send(Object(command));

  expect(output).toMatchObject({
    ScannedCount: limit + 1,
    ConsumedCapacity: { CapacityUnits: readUnits },
  });
});
