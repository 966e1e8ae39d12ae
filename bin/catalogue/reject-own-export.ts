import type { PetStoreClient } from '../../shared/client/pet-store-client.ts';
import { PetStatus } from '../../shared/contract/schemas/pet.ts';
import type { ColumnMap } from './columns.ts';
import type { Row } from './read-rows.ts';

/**
 * Fails if a row has the id of a pet that exists. As ids are random, the file is then an export of this API, and
 * an import would create all of its pets again. Of each status, the 100 pets with the lowest ids are compared: an
 * export has some of them, unless nearly all pets are newer.
 */
export async function rejectOwnExport(
  rows: AsyncIterable<Row>,
  map: ColumnMap,
  api: Pick<PetStoreClient, 'listPets'>,
): Promise<void> {
  const pages = await Promise.all(PetStatus.options.map((status) => api.listPets({ status }).next()));
  const existing = new Set(pages.flatMap(({ value }) => value?.pets.map(({ id }) => `${id}`) ?? []));
  for await (const { line, cells } of rows) {
    const id = cells.find(([column]) => (map.get(column) ?? column) === 'id')?.[1];
    if (!existing.has(`${id}`)) continue;
    throw new Error(
      `The pet ${id} in line ${line} already exists, so the file is an export of this API. An import would create all of its pets again. If you want that, remove every id from the file.`,
    );
  }
}
