import type * as v from 'valibot';
import { NewPet, Pet } from '../../shared/contract/schemas/pet.ts';
import type { Row } from './read-rows.ts';

/** The names of a pet's fields, in the order in which they are exported. */
export const petColumns = Object.keys(Pet.entries);

/** The fields that an import reads, by name. */
export const importedFields: Readonly<Record<string, v.GenericSchema>> = NewPet.entries;

/** Fields by the columns that have other names. */
export type ColumnMap = ReadonlyMap<string, string>;

/** A pet's fields, and the one that an import adds to a row that it rejects. */
const isKnown = (name: string) => petColumns.includes(name) || name === 'rejected';

/** Returns the values of a row by field, and the columns that are not fields. */
export function toFields({ cells }: Row, map: ColumnMap) {
  const named = cells.map(([column, value]) => [map.get(column) ?? column, value] as const);
  const known = named.filter(([name]) => isKnown(name));
  const fields: Readonly<Record<string, unknown>> = Object.fromEntries(known);
  if (Object.keys(fields).length < known.length) throw new Error('Two columns are the same field.');
  return { fields, unknown: named.map(([name]) => name).filter((name) => !isKnown(name)) };
}

/** Checks the columns of all rows, and returns how many rows there are. */
export async function checkColumns(rows: AsyncIterable<Row>, map: ColumnMap, ignoreUnknown: boolean) {
  const found = new Set<string>();
  let rowCount = 0;
  for await (const row of rows) {
    rowCount += 1;
    const { fields, unknown } = toFields(row, map);
    if (unknown.length > 0 && !ignoreUnknown) {
      throw new Error(`Unknown columns: ${unknown.join(', ')}. Pass --map column=field or --ignore-unknown.`);
    }
    for (const name of Object.keys(fields)) found.add(name);
  }
  const required = Object.keys(importedFields).filter((name) => importedFields[name]?.type !== 'optional');
  const missing = new Set([...required, ...map.values()]).difference(found);
  if (rowCount > 0 && missing.size > 0) throw new Error(`Missing columns: ${[...missing].join(', ')}.`);
  return rowCount;
}
