import * as v from 'valibot';
import { invalidFields } from '../contract/errors/parse.ts';
import { logError } from '../lambda/log.ts';
import { type TableId, tables } from './table-definitions.ts';

/** Logged when a stored item does not parse, with table, key and the names of its invalid attributes. */
export const damagedItemMessage = 'A stored item is damaged.';

/** An item as DynamoDB returns it. */
export type Item = Readonly<Record<string, unknown>>;

/** Where the items of a table are, and what they are. */
export interface ItemTable<Id extends TableId, T> {
  readonly table: Id;
  readonly tableName: string;
  readonly schema: v.GenericSchema<unknown, T>;
}

/**
 * Returns whether an item was deleted. It stays in its table with only its key, its digest and `deletedAt`, so
 * that a late retry of its create does not bring it back. A later version may delete items beside this one.
 */
export const isDeleted = (item: Item): boolean => item['deletedAt'] !== undefined;

/** Parses an item, or logs that it is damaged, with only its key and the names of its invalid attributes. */
export function parseOrLog<T>(table: TableId, schema: v.GenericSchema<unknown, T>, item: Item) {
  const { success, output, issues } = v.safeParse(schema, item);
  if (success) return output;
  const key = Object.keys(tables[table].key).map((name) => `${item[name]}`);
  logError(damagedItemMessage, undefined, { table, key: key.join(), attributes: invalidFields(issues) });
  return undefined;
}

/**
 * Parses an item. A deleted one is undefined, as if the table did not have it.
 *
 * @throws {Error} if the item is damaged, after logging it
 */
export function parseItem<T>(table: TableId, schema: v.GenericSchema<unknown, T>, item: Item): T | undefined {
  if (isDeleted(item)) return undefined;
  const parsed = parseOrLog(table, schema, item);
  if (parsed === undefined) throw new Error(damagedItemMessage);
  return parsed;
}
