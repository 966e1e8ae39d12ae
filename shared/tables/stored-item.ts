import * as v from 'valibot';
import { invalidFields } from '../contract/parse.ts';
import { logError } from '../lambda/log.ts';
import { type ItemOf, namesOf, type TableDefinition } from './table.ts';

/** Logged when a stored item does not parse, with table, key and the names of its invalid attributes. */
export const damagedItemMessage = 'A stored item is damaged.';

/** An item as DynamoDB returns it. */
export type Item = Readonly<Record<string, unknown>>;

/** A stored instant, in seconds since 1970, as DynamoDB's time to live expects it. */
export const StoredInstant = v.pipe(v.bigint(), v.transform(Number));

/** Returns the current time as it is stored: in whole seconds since 1970. */
export const nowInSeconds = (): number => Math.floor(Date.now() / 1000);

/**
 * Returns whether an item was deleted. It stays in its table with only its key, its digest and `deletedAt`, so
 * that a late retry of its create does not bring it back. A later version may delete items beside this one.
 */
export const isDeleted = (item: Item): boolean => item['deletedAt'] !== undefined;

/** Parses an item, or logs that it is damaged, with only its key and the names of its invalid attributes. */
export function parseOrLog<T>(
  { id, key }: TableDefinition,
  schema: v.GenericSchema<unknown, T>,
  item: Item,
): T | undefined {
  const { success, output, issues } = v.safeParse(schema, item);
  if (success) return output;
  const values = namesOf(key).map((name) => `${item[name]}`);
  logError(damagedItemMessage, undefined, {
    table: id,
    key: values.join(),
    attributes: invalidFields(issues),
  });
  return undefined;
}

/**
 * Returns what the schema of its table describes of an item.
 *
 * @throws {Error} if the item is damaged, after logging it
 */
export function parseItem<T extends TableDefinition>(table: T, item: Item): ItemOf<T> {
  const parsed = parseOrLog<ItemOf<T>>(table, table.schema, item);
  if (!parsed) throw new Error(damagedItemMessage);
  return parsed;
}
