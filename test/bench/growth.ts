import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { pageSize } from '../../shared/contract/schemas/list-pets-query.ts';
import { encodeCursor } from '../../shared/contract/schemas/page-cursor.ts';
import type { PetStatus } from '../../shared/contract/schemas/pet.ts';
import { eventOf } from '../support/functions/invoke.ts';
import { startMetered } from './lambda/metered-function.ts';
import { addPets } from './sample-pets.ts';
import { functionNamed, type Workbench } from './workbench.ts';

const filters = [undefined, 'available'] as const satisfies (PetStatus | undefined)[];
const limits = [pageSize.default, pageSize.maximum] as const;

/** What a page takes of a table with so many pets. */
export interface PageCost {
  readonly filter: PetStatus | undefined;
  readonly limit: number;
  readonly page: string;
  readonly pets: number;
  readonly readUnits: number;
  readonly itemsRead: number;
}

/** Fills the table to each of the sizes, the smallest first, and reads pages of the default and the largest size at each. */
export async function measureGrowth(workbench: Workbench, sizes: readonly number[]): Promise<PageCost[]> {
  const { dynamodb, petsTable, plainEndpoint } = workbench;
  await using listPets = await startMetered(functionNamed('list-pets', workbench), plainEndpoint);

  const costs: PageCost[] = [];
  let { petCount } = workbench;
  for (const pets of sizes) {
    await addPets(dynamodb, petsTable, pets - petCount);
    petCount = pets;
    for (const filter of filters) {
      const ids = await listIds(workbench, filter);
      for (const limit of limits) {
        for (const [page, after] of Object.entries(pageStarts(ids, limit))) {
          const query = queryOf(filter, limit, after);
          const { readUnits, itemsRead } = await listPets.invoke(eventOf({ query }));
          costs.push({ filter, limit, page, pets, readUnits, itemsRead });
        }
      }
    }
  }
  return costs;
}

/** The ids of every pet of a list, in its order. */
async function listIds(
  { dynamodb, petsTable }: Workbench,
  filter: PetStatus | undefined,
): Promise<readonly bigint[]> {
  const pages = await Array.fromAsync(paginateScan({ client: dynamodb }, { TableName: petsTable }));
  const pets = pages.flatMap(({ Items = [] }) => Items);
  if (filter === undefined) return pets.map(({ id }) => id);
  return pets
    .filter(({ status }) => status === filter)
    .map(({ id }) => id)
    .sort((a, b) => (a < b ? -1 : 1));
}

/** The id after which each page starts; the last one is full, as far as there are pets. */
const pageStarts = (ids: readonly bigint[], limit: number) => ({
  first: undefined,
  middle: ids[Math.floor((ids.length - limit) / 2) - 1],
  last: ids.at(-1 - limit),
});

function queryOf(status: PetStatus | undefined, limit: number, after: bigint | undefined): string {
  return `${new URLSearchParams({
    limit: `${limit}`,
    ...(status && { status }),
    ...(after !== undefined && { cursor: encodeCursor(after, status) }),
  })}`;
}
