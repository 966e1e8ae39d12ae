import type * as v from 'valibot';
import { NewPet, Pet } from '../../shared/pets/pet.ts';
import type { Row } from './row.ts';

/** The names of a pet's fields, in export order. */
export const petColumns = Object.keys(Pet.entries);

/** The schemas of the fields that an import reads, by name. */
export const importedFields: ReadonlyMap<string, v.GenericSchema> = new Map(Object.entries(NewPet.entries));

export interface ColumnOptions {
  /** The field of each renamed column: there are no built-in aliases. */
  readonly map: ReadonlyMap<string, string>;
  readonly ignoreUnknown: boolean;
  /** Whether rows may have the id of a pet, which an import does not keep. */
  readonly newIds: boolean;
}

/** Whether a column, renamed or not, is a field of a pet. */
export const isField = (column: string, map: ColumnOptions['map']) =>
  petColumns.includes(map.get(column) ?? column);

/** A pet's fields, and the one that imports add to rejected rows. */
const known = new Set([...petColumns, 'rejected']);

/** Checks the columns of all rows that can be read, before anything is sent. */
export function checkColumns(rows: readonly Row[], { map, ignoreUnknown, newIds }: ColumnOptions): void {
  const found = new Set<string>();
  for (const { cells } of rows) {
    const names = cells.map(([column]) => map.get(column) ?? column);
    const unknown = names.filter((name) => !known.has(name));
    if (unknown.length > 0 && !ignoreUnknown) {
      const listed = new Set(unknown.map((name) => (name.trim() === '' ? 'one without a name' : name)));
      throw new Error(
        `Unknown columns: ${[...listed].join(', ')}. Pass --map column=field or --ignore-unknown.`,
      );
    }
    const fields = new Set(names).intersection(known);
    if (fields.size + unknown.length < names.length) throw new Error('Two columns name the same field.');
    for (const name of fields) found.add(name);
  }
  if (found.has('id') && !newIds) {
    throw new Error(
      'The rows have ids, as in an export, and each import of it creates other pets. If you want that, pass --new-ids.',
    );
  }
  const required = [...importedFields].filter(([, { type }]) => type !== 'optional').map(([name]) => name);
  const missing = new Set([...required, ...map.values()]).difference(found);
  const isReadable = rows.some(({ unreadable }) => unreadable === undefined);
  if (isReadable && missing.size > 0) throw new Error(`Missing columns: ${[...missing].join(', ')}.`);
}
