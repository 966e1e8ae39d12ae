import { NumberValue } from '@aws-sdk/lib-dynamodb';
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

it('readPetPage logs a damaged pet by its exact id and invalid attributes, without values', async () => {
  const key = '-1.2345678901234567890123456789012345678';
  await putPet(new NumberValue(key), { name: ' ', status: 'lost' });

  const page = await readPetPage({ limit: 1, after: undefined, status: undefined });

  expect(page).toEqual({ items: [], next: undefined });
  expect(log.errors().map((line) => JSON.parse(line))).toEqual([
    {
      message: 'A stored item is damaged.',
      table: 'pets',
      key,
      attributes: 'id, name, status',
      coldStart: expect.any(Boolean),
    },
  ]);
});

it.each([
  [20, undefined, 0.5],
  [100, undefined, 1.5],
  [100, 'available', 1.5],
] as const)('a page of %i pets with the status %s takes %f read units', async (limit, status, units) => {
  // As many digits as most ids have.
  const ids = Array.from({ length: 101 }, (_, index) => 2n ** 52n + BigInt(index));
  await Promise.all(ids.map((petId) => putPet(petId, { status: 'available' })));
  const { send } = dynamodb;
  const sent = vi.spyOn(dynamodb, 'send').mockImplementation((command) => {
    Object.assign(command.input, { ReturnConsumedCapacity: 'TOTAL' });
    return send(command);
  });

  await readPetPage({ limit, after: undefined, status });

  const output = await sent.mock.results[0]?.value;
  expect(output).toMatchObject({ ScannedCount: limit + 1, ConsumedCapacity: { CapacityUnits: units } });
});
