import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { pageSize } from '../../shared/contract/schemas/list-pets-query.ts';
import { encodeCursor } from '../../shared/contract/schemas/page-cursor.ts';
import type { PetStatus } from '../../shared/contract/schemas/pet.ts';
import { eventOf } from '../support/functions/invoke.ts';
import { startMetered } from './lambda/metered-function.ts';
import { addPets } from './sample-pets.ts';
import { functionNamed, samplePetCount, type Workbench } from './workbench.ts';

const filters = [undefined, 'available'] as const satisfies (PetStatus | undefined)[];
const limits = [pageSize.default, pageSize.maximum] as const;

/** Fills the table to each of the sizes, the smallest first, and reads pages of the default and the largest size at each. */
export async function measureGrowth(workbench: Workbench, sizes: readonly number[]) {
  const { dynamodb, petsTable, plainEndpoint } = workbench;
  await using listPets = await startMetered(functionNamed('list-pets', workbench), plainEndpoint);

  const costs = [];
  let added = samplePetCount;
  for (const pets of sizes) {
    await addPets(dynamodb, petsTable, pets - added);
    added = pets;
    for (const status of filters) {
      const ids = await listIds(workbench, status);
      for (const limit of limits) {
        for (const [page, after] of Object.entries(pageStarts(ids, limit))) {
          const cursor = after && encodeCursor(after, status);
          const query = new URLSearchParams({
            limit: `${limit}`,
            ...(status && { status }),
            ...(cursor && { cursor }),
          });
          const { readUnits, itemsRead } = await listPets.invoke(eventOf({ query: `${query}` }));
          costs.push({ status: status ?? 'any', limit, page, pets, readUnits, itemsRead });
        }
      }
    }
  }
  return costs;
}

/** The ids of every pet of a list, in its order. */
async function listIds({ dynamodb, petsTable }: Workbench, status: PetStatus | undefined): Promise<bigint[]> {
  const pages = await Array.fromAsync(paginateScan({ client: dynamodb }, { TableName: petsTable }));
  const pets = pages.flatMap(({ Items = [] }) => Items);
  const ids = pets.filter((pet) => pet['status'] === (status ?? pet['status'])).map(({ id }) => id);
  return status === undefined ? ids : ids.sort((a, b) => (a < b ? -1 : 1));
}

/** The id after which each page starts; the last one is full, as far as there are pets. */
const pageStarts = (ids: readonly bigint[], limit: number) => ({
  first: undefined,
  middle: ids[Math.floor((ids.length - limit) / 2) - 1],
  last: ids.at(-1 - limit),
});
