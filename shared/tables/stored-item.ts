import * as v from 'valibot';
import { invalidFields } from '../contract/errors/parse.ts';
import { logError } from '../lambda/log.ts';
import { type TableId, tables } from './table-definitions.ts';

/** Logged when a stored item does not parse, with table, key and the names of its invalid attributes. */
export const damagedItemMessage = 'A stored item is damaged.';

/** An item as DynamoDB returns it. */
export type Item = Readonly<Record<string, unknown>>;

/** Parses an item, or logs that it is damaged, never a value but its key. */
export function parseOrLog<T>(table: TableId, schema: v.GenericSchema<unknown, T>, item: Item) {
  const { success, output, issues } = v.safeParse(schema, item);
  if (success) return output;
  const key = Object.keys(tables[table].key).map((name) => `${item[name]}`);
  logError(damagedItemMessage, undefined, { table, key: key.join(), attributes: invalidFields(issues) });
  return undefined;
}

/**
 * Parses an item.
 *
 * @throws {Error} if the item is damaged, after logging it
 */
export function parseItem<T>(table: TableId, schema: v.GenericSchema<unknown, T>, item: Item): T {
  const parsed = parseOrLog(table, schema, item);
  if (parsed === undefined) throw new Error(damagedItemMessage);
  return parsed;
}
