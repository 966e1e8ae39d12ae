import { stringify } from 'csv-stringify/sync';
import type { PetStoreClient } from '../../shared/client/pet-store-client.ts';
import { stringifyJson } from '../../shared/contract/json.ts';
import type { Pet, PetStatus } from '../../shared/contract/schemas/pet.ts';
import { escapeFormula } from './formulas.ts';
import type { Format } from './read-rows.ts';

const columns = ['id', 'name', 'categoryId', 'status'] as const satisfies (keyof Pet)[];

export interface ExportOptions {
  readonly format: Format;
  readonly status?: PetStatus | undefined;
  /** Whether no name in CSV is to be a formula to a spreadsheet. */
  readonly escapesFormulas: boolean;
}

/** The text of a catalogue, a page of the API at a time. */
export async function* exportCatalogue(
  api: Pick<PetStoreClient, 'listPets'>,
  { format, status, escapesFormulas }: ExportOptions,
): AsyncGenerator<string> {
  const toRow = (pet: Pet) => (escapesFormulas ? { ...pet, name: escapeFormula(pet.name) } : pet);
  if (format === 'csv') yield stringify([columns]);
  for await (const pets of api.listPets({ ...(status && { status }) })) {
    yield format === 'csv'
      ? stringify(pets.map(toRow), { columns: [...columns] })
      : pets.map((pet) => `${stringifyJson(pet)}\n`).join('');
  }
}
