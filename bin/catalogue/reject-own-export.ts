import type { PetStoreClient } from '../../shared/client/pet-store-client.ts';
import { PetStatus } from '../../shared/pets/pet.ts';
import type { ColumnMap } from './columns.ts';
import type { Row } from './read-rows.ts';

/**
 * Fails if a row has the id of a pet that exists. As ids are random, the file is then an export of this API, or of
 * one with the same sample pets, and an import would create all of its pets again. Of each status, the 100 pets with the lowest ids are compared: an
 * export has some of them, unless nearly all pets are newer.
 */
export async function rejectOwnExport(
  rows: AsyncIterable<Row>,
  map: ColumnMap,
  api: Pick<PetStoreClient, 'listPets'>,
): Promise<void> {
  const pages = await Promise.all(PetStatus.options.map((status) => api.listPets({ status })));
  const existing = new Set(pages.flatMap(({ pets }) => pets.map(({ id }) => `${id}`)));
  for await (const { line, cells } of rows) {
    const id = cells.find(([column]) => (map.get(column) ?? column) === 'id')?.[1];
    if (!existing.has(`${id}`)) continue;
    throw new Error(
      `The pet ${id} in line ${line} already exists in this API. An import would create the pets of the file again, with other ids. If you want that, remove every id from the file.`,
    );
  }
}
