import { NumberValue } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, it, vi } from 'vitest';
import { examplePet } from '../../../shared/contract/operations.ts';
import { dynamodb } from '../../../shared/lambda/dynamodb.ts';
import { readPet, readPetPage } from '../../../shared/tables/pets-table.ts';
import { captureLog } from '../../support/functions/capture-log.ts';
import { putItem } from '../../support/functions/stored-items.ts';
import { putPet, removeEveryPet } from '../../support/functions/stored-pets.ts';

const log = captureLog();

// JSON's own numbers would round this category.
const { id: _id, ...bella } = { ...examplePet, categoryId: -(2n ** 63n), status: 'sold' as const };
const id = 12n;

beforeEach(removeEveryPet);

it('readPet reads a pet consistently, without its digest', async () => {
  await putPet(id, bella);
  const send = vi.spyOn(dynamodb, 'send');

  const pet = await readPet(id);

  expect(pet).toEqual({ id, ...bella });
  expect(send.mock.calls).toMatchObject([[{ input: { ConsistentRead: true } }]]);
});

it.each([undefined, 'sold'] as const)(
  'lists pets with an unknown status as they are (filter: %s)',
  async (status) => {
    await putPet(id, { ...bella, status: 'unknown' });
    await putPet(13n, bella);

    const { items } = await readPetPage({ limit: 5, after: undefined, status });

    const [unknown, sold] = [
      { id, ...bella, status: 'unknown' },
      { id: 13n, ...bella },
    ];
    expect(new Set(items)).toEqual(new Set(status ? [sold] : [unknown, sold]));
    expect(await readPet(id)).toEqual(unknown);
    expect(log.errors()).toEqual([]);
  },
);

it('readPet finds no pet that was deleted', async () => {
  await putItem('pets', { id, digest: new Uint8Array(32), deletedAt: 1n });

  expect(await readPet(id)).toBeUndefined();
  expect(log.errors()).toEqual([]);
});

it('readPetPage logs a damaged pet by its exact id and invalid attributes, without values', async () => {
  const key = '-1.2345678901234567890123456789012345678';
  await putPet(new NumberValue(key), { name: ' ' });

  const page = await readPetPage({ limit: 1, after: undefined, status: undefined });

  expect(page).toEqual({ items: [], next: undefined });
  expect(log.errors().map((line) => JSON.parse(line))).toEqual([
    {
      message: 'A stored item is damaged.',
      table: 'pets',
      key,
      attributes: 'id, name',
      coldStart: expect.any(Boolean),
    },
  ]);
});
