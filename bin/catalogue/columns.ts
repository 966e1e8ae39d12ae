import type * as v from 'valibot';
import { NewPet, Pet } from '../../shared/pets/pet.ts';
import type { Row } from './read-rows.ts';

/** The names of a pet's fields, in export order. */
export const petColumns = Object.keys(Pet.entries);

/** The schemas of the fields that an import reads, by name. */
export const importedFields: ReadonlyMap<string, v.GenericSchema> = new Map(Object.entries(NewPet.entries));

/** The field of each renamed column, from `--map`: there are no built-in aliases. */
export type ColumnMap = ReadonlyMap<string, string>;

/** A pet's fields, and the one that imports add to rejected rows. */
const known: readonly string[] = [...petColumns, 'rejected'];

/** Checks the columns of all rows that can be read. Returns the count of all rows, and whether any has an id. */
export async function checkColumns(rows: AsyncIterable<Row>, map: ColumnMap, ignoreUnknown: boolean) {
  const found = new Set<string>();
  let rowCount = 0;
  let readableCount = 0;
  for await (const { cells, reason } of rows) {
    rowCount += 1;
    if (reason === undefined) readableCount += 1;
    const names = cells.map(([column]) => map.get(column) ?? column);
    const unknown = names.filter((name) => !known.includes(name));
    if (unknown.length > 0 && !ignoreUnknown) {
      throw new Error(`Unknown columns: ${unknown.join(', ')}. Pass --map column=field or --ignore-unknown.`);
    }
    const fields = new Set(names).intersection(new Set(known));
    if (fields.size + unknown.length < names.length) throw new Error('Two columns name the same field.');
    for (const name of fields) found.add(name);
  }
  const required = [...importedFields].filter(([, { type }]) => type !== 'optional').map(([name]) => name);
  const missing = new Set([...required, ...map.values()]).difference(found);
  if (readableCount > 0 && missing.size > 0) throw new Error(`Missing columns: ${[...missing].join(', ')}.`);
  return { rowCount, hasIds: found.has('id') };
}
