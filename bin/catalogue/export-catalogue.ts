import { stringify } from 'csv-stringify/sync';
import { stringifyJson } from '../../shared/contract/json.ts';
import type { Pet, PetStatus } from '../../shared/contract/pet.ts';
import type { CatalogueApi } from './api.ts';
import type { Format } from './rows.ts';

const columns = ['id', 'name', 'categoryId', 'status'] as const satisfies (keyof Pet)[];

/** The text of a catalogue, a page of the API at a time. */
export async function* exportCatalogue(
  api: CatalogueApi,
  format: Format,
  status?: PetStatus,
): AsyncGenerator<string> {
  if (format === 'csv') yield stringify([columns]);
  for await (const pets of api.pages(status)) {
    yield format === 'csv'
      ? stringify(pets, { columns: [...columns] })
      : pets.map((pet) => `${stringifyJson(pet)}\n`).join('');
  }
}
