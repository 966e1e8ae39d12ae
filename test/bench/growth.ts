import { type DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { pageSize } from '../../shared/contract/schemas/list-pets-query.ts';
import { encodeCursor } from '../../shared/contract/schemas/page-cursor.ts';
import type { PetStatus } from '../../shared/contract/schemas/pet.ts';
import { eventOf } from '../support/functions/invoke.ts';
import { startMetered } from './metered-function.ts';
import { addPets } from './sample-pets.ts';
import { functionNamed } from './subjects.ts';
import type { Workbench } from './workbench.ts';

const pages = ['first', 'middle', 'last'] as const;
const filters = [undefined, 'available'] as const satisfies (PetStatus | undefined)[];
const limits = [pageSize.default, pageSize.maximum] as const;

/** What a page takes of a table with so many pets. */
export interface PageCost {
  readonly pets: number;
  readonly filter: PetStatus | undefined;
  readonly limit: number;
  readonly page: (typeof pages)[number];
  readonly readUnits: number;
  readonly itemsRead: number;
}

/** Fills the table to each of the sizes, the smallest first, and reads pages of the default and the largest size at each. */
export async function measureGrowth(
  { functions, plainEndpoint, dynamodb, petsTable, petCount }: Workbench,
  sizes: readonly number[],
  onSize: (size: number) => void,
): Promise<PageCost[]> {
  await using metered = await startMetered(functionNamed('list-pets', functions), plainEndpoint);

  const costs: PageCost[] = [];
  let pets = petCount;
  for (const size of sizes) {
    onSize(size);
    await addPets(dynamodb, petsTable, Math.max(size - pets, 0));
    pets = Math.max(size, pets);
    const listed = await listAll(dynamodb, petsTable);
    for (const filter of filters) {
      const ids = inOrder(listed, filter);
      for (const limit of limits) {
        for (const page of pages) {
          const query = queryOf(filter, limit, cursorIdOf(page, limit, ids));
          const { readUnits, itemsRead } = await metered.invoke(eventOf({ query }));
          costs.push({ pets, filter, limit, page, readUnits, itemsRead });
        }
      }
    }
  }
  return costs;
}

/** Whether each page takes as much of every table that has the pets for it. */
export function isConstant(costs: readonly PageCost[]): boolean {
  const fullPages = costs.filter(({ itemsRead, limit }) => itemsRead >= limit);
  const costsOfPage = Map.groupBy(fullPages, ({ filter, limit, page }) => `${filter} ${limit} ${page}`);
  return [...costsOfPage.values()].every((same) => {
    return new Set(same.map(({ readUnits, itemsRead }) => `${readUnits} ${itemsRead}`)).size === 1;
  });
}

interface ListedPet {
  readonly id: bigint;
  readonly status: string | undefined;
}

/** Every pet, in the order of the list without a filter. */
async function listAll(client: DynamoDBDocumentClient, TableName: string): Promise<ListedPet[]> {
  const pets: ListedPet[] = [];
  for await (const { Items = [] } of paginateScan({ client }, { TableName })) {
    pets.push(...Items.map(({ id, status }) => ({ id, status })));
  }
  return pets;
}

/** The ids of a list, with a filter in the order of that filter. */
function inOrder(pets: readonly ListedPet[], filter: PetStatus | undefined): bigint[] {
  if (filter === undefined) return pets.map(({ id }) => id);
  return pets
    .filter(({ status }) => status === filter)
    .map(({ id }) => id)
    .sort((a, b) => (a < b ? -1 : 1));
}

/** The id after which a page starts; the last page is a full one, as far as there are pets. */
function cursorIdOf(page: PageCost['page'], limit: number, ids: readonly bigint[]): bigint | undefined {
  switch (page) {
    case 'first':
      return undefined;
    case 'middle':
      return ids[Math.floor((ids.length - limit) / 2) - 1];
    case 'last':
      return ids.at(-1 - limit);
  }
}

function queryOf(status: PetStatus | undefined, limit: number, after: bigint | undefined): string {
  return `${new URLSearchParams({
    limit: `${limit}`,
    ...(status && { status }),
    ...(after !== undefined && { cursor: encodeCursor(after, status) }),
  })}`;
}
