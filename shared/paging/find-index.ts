import type { Key, KeyValue, Table } from '../tables/table.ts';
import type { List } from './cursor.ts';

/**
 * Selects the items with one value of a field, or all if the value is undefined. The field begins the key of the
 * table or of an index, whose other attribute sorts the items. If several keys begin with it, `sortedBy` chooses.
 */
export type Where<
  T extends Table,
  K extends Key = T['key'] | T['indexes'][keyof T['indexes']],
> = K extends Key
  ? {
      readonly field: K['partition'];
      readonly equals: KeyValue<T, K['partition']> | undefined;
      readonly sortedBy?: K extends { readonly sort: infer Sort } ? Sort : never;
    }
  : never;

/** A list, and where it is. */
export interface StoredList extends List {
  readonly table: Table;
  readonly index: string | undefined;
}

/** Finds the key that begins with a filter's field: that of the table or of an index, which no caller names. */
export function findIndex(table: Table, where: Where<Table> | undefined): StoredList {
  const all = { table, index: undefined, key: table.key, partition: undefined };
  if (where?.equals === undefined) return all;
  const { field, equals, sortedBy } = where;
  const keys = [[undefined, table.key] as const, ...Object.entries(table.indexes)];
  const isChosen = (key: Key) => key.partition === field && (sortedBy === undefined || key.sort === sortedBy);
  const [index, key] = keys.find(([, key]) => isChosen(key)) ?? [];
  if (!key) throw new Error(`No key of the table ${table.id} begins with ${field}.`);
  return { table, index, key, partition: equals };
}
