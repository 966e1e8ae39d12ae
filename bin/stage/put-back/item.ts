import { createHash } from 'node:crypto';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { apiKeyTable, keyIdOf } from '../../../shared/keys/api-key.ts';
import { namesOf, type TableDefinition } from '../../../shared/tables/table.ts';

/** An item exactly as DynamoDB has it. */
export type StoredItem = Readonly<Record<string, AttributeValue>>;

/** Whether a table has API keys, which are only ever added. */
export const isOfKeys = ({ id }: TableDefinition): boolean => id === apiKeyTable.id;

/** Returns an item's id as a text: `123`, `"text"`, or `["text","123"]` of a partition and a sort key. */
export function idOf({ key, keyTypes }: TableDefinition, item: StoredItem): string {
  const values = namesOf(key).map((name) => item[name]?.N ?? item[name]?.S ?? '');
  const [value = ''] = values;
  if (values.length > 1) return JSON.stringify(values);
  return keyTypes[key.partition] === 'N' ? value : JSON.stringify(value);
}

/** Returns an item's id as operators know it and files have it. */
export const shownIdOf = (table: TableDefinition, item: StoredItem): string =>
  isOfKeys(table) ? keyIdOf(`${item[table.key.partition]?.S}`) : idOf(table, item);

/** Whether DynamoDB would return a number like this. */
const isNumeric = (text: string) => text !== '-0' && /^-?(?:0|[1-9]\d{0,37})(?:\.\d{0,37}[1-9])?$/.test(text);

const Values = v.pipe(v.string(), v.parseJson(), v.union([v.string(), v.array(v.string())]));

/** Returns the key that `idOf` makes an id of, or undefined if no item of the table has this id. */
export function keyOf(table: TableDefinition, id: string): StoredItem | undefined {
  const { key, keyTypes } = table;
  const isNumber = key.sort === undefined && keyTypes[key.partition] === 'N';
  const { success, output } = v.safeParse(Values, isNumber ? JSON.stringify(id) : id);
  if (!success) return undefined;
  const values = [output].flat();
  const found = Object.fromEntries(
    namesOf(key).map((name, place) => {
      const value = `${values[place]}`;
      return [name, keyTypes[name] === 'N' ? { N: value } : { S: value }];
    }),
  );
  const isPossible = Object.values(found).every(({ N }) => N === undefined || isNumeric(N));
  // Another text of the same id, which no comparison would recognize, is no id.
  return isPossible && idOf(table, found) === id ? found : undefined;
}

/**
 * Returns a short text that is the same for items with the same attributes. `lastWrite` is none of them: each
 * write changes it.
 */
export function versionOf({ lastWrite: _, ...attributes }: StoredItem): string {
  return createHash('sha256')
    .update(JSON.stringify(ordered(attributes)))
    .digest('hex')
    .slice(0, 16);
}

/** Returns a value in which neither the order of names nor that of a set's elements shows. */
function ordered(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  return Object.keys(value)
    .toSorted()
    .map((name) => {
      const member: unknown = ordered(new Map(Object.entries(value)).get(name));
      return [name, /^[SNB]S$/.test(name) && Array.isArray(member) ? member.toSorted() : member];
    });
}
