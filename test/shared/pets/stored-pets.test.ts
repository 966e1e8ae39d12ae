import { beforeEach, expect, it } from 'vitest';
import { examplePet } from '../../../shared/pets/operations.ts';
import { petTable } from '../../../shared/pets/pet-table.ts';
import { readPetPage } from '../../../shared/pets/stored-pets.ts';
import { readItem } from '../../../shared/tables/read-item.ts';
import { openTable } from '../../../shared/tables/table.ts';
import { captureLog } from '../../support/functions/capture-log.ts';
import { putPet, removeEveryPet } from '../../support/functions/stored-pets.ts';

const log = captureLog();

// JSON's own numbers would round this category.
const { id: _id, ...bella } = { ...examplePet, categoryId: -(2n ** 63n), status: 'sold' as const };
const id = 12n;

beforeEach(removeEveryPet);

it.each([undefined, 'sold'] as const)(
  'lists pets with an unknown status as they are (filter: %s)',
  async (status) => {
    await putPet(id, { ...bella, status: 'unknown' });
    await putPet(13n, bella);

    const { items } = await readPetPage({ limit: 5, cursor: undefined, status });

    const [unknown, sold] = [
      { id, ...bella, status: 'unknown' },
      { id: 13n, ...bella },
    ];
    expect(new Set(items)).toEqual(new Set(status ? [sold] : [unknown, sold]));
    expect(await readItem(openTable(petTable), { id })).toEqual(unknown);
    expect(log.errors()).toEqual([]);
  },
);
