import { QueryCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../tables/dynamodb.ts';
import { type Item, isDeleted, parseOrLog } from '../tables/stored-item.ts';
import type { ItemOf, Key, KeyValue, Table } from '../tables/table.ts';
import { decodeCursor, encodeCursor, invalidCursor, type List } from './cursor.ts';

/**
 * Selects the items with one value of a field, such as `{ field: 'state', equals: 'lent' }`, or all if the value is
 * undefined. The field begins the key of the table or of an index, whose other attribute sorts the items. If several
 * keys begin with it, `sortedBy` chooses.
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

/** Which page of which list. */
interface PageOptions<T extends Table> {
  readonly limit: number;
  readonly cursor: string | undefined;
  readonly where?: Where<T>;
}

type NamesOf<T> = T extends unknown ? keyof T : never;

/** Refuses all but the `Known` names: without it, a variable may have others, which nobody would read. */
type Only<Known, Given> = { readonly [Name in Exclude<NamesOf<Given>, keyof Known>]?: never };

/**
 * Reads a page of the items of a table, at the same cost wherever it starts: the first has no cursor. A damaged
 * item is logged and left out. `next` is the cursor of the next page, and undefined on the last page.
 *
 * @throws {ApiError} `invalid_query` if the cursor is not of this list, and `service_unavailable` while DynamoDB
 *   is unreachable or throttling
 */
export async function readPage<T extends Table, O extends PageOptions<T> = PageOptions<T>>(
  table: T,
  { limit, cursor, where }: O & Only<PageOptions<T>, O> & { readonly where?: Only<Where<T>, O['where']> },
): Promise<{ readonly items: readonly ItemOf<T>[]; readonly next: string | undefined }> {
  const list = findIndex(table, where);
  // One item more than the page has tells whether another page follows, so that none is empty.
  const { found, end } = await readPastDeleted(list, limit + 1, cursor);

  const page = found.slice(0, limit);
  const intact = page.flatMap((item) => parseOrLog<ItemOf<T>>(table, table.schema, item) ?? []);
  const pageEnd = found.length > limit ? page.at(-1) : end;
  return { items: intact, next: pageEnd && encodeCursor(list, pageEnd) };
}

/** The most calls for a page, of which all but the first make up for deleted items. */
const maxCalls = 10;

/**
 * Reads `count` items from a cursor on, and more in place of deleted ones: fewer are found only where the list ends, or
 * has hardly anything but deleted items. `end` is where reading stopped, and undefined at the end of the list.
 */
async function readPastDeleted(list: StoredList, count: number, cursor: string | undefined) {
  const found: Item[] = [];
  let reading = cursor === undefined ? readItems(list, count) : readAfter(cursor, list, count);
  for (let call = 1; ; call += 1) {
    const { Items = [], LastEvaluatedKey: end } = await reading;
    const items = Items.filter((item) => !isDeleted(item));
    found.push(...items);
    if (items.length === Items.length || !end || call === maxCalls) return { found, end };
    reading = readItems(list, count - found.length, end);
  }
}

/** A list, and the index that has it, unless the table itself does. */
type StoredList = List & { readonly table: Table; readonly index: string | undefined };

/** Finds the key that begins with a filter's field: that of the table or of an index, which no caller names. */
function findIndex(table: Table, where: Where<Table> | undefined): StoredList {
  const all = { table, index: undefined, key: table.key, partition: undefined };
  if (where?.equals === undefined) return all;
  const { field, equals, sortedBy } = where;
  const keys = [[undefined, table.key] as const, ...Object.entries(table.indexes)];
  const isChosen = (key: Key) => key.partition === field && (sortedBy === undefined || key.sort === sortedBy);
  const [index, key] = keys.find(([, key]) => isChosen(key)) ?? [];
  if (!key) throw new Error(`No key of the table ${table.id} begins with ${field}.`);
  return { table, index, key, partition: equals };
}

/**
 * Reads a list from a cursor, whose position may be made up. If DynamoDB rejects it, but not the same read without
 * it, the cursor is to blame; otherwise the defect is ours.
 */
async function readAfter(cursor: string, list: StoredList, limit: number) {
  try {
    return await readItems(list, limit, decodeCursor(list, cursor));
  } catch (error) {
    if (!(error instanceof Error && error.name === 'ValidationException')) throw error;
    await readItems(list, 1);
    throw invalidCursor();
  }
}

/** Reads items of a list in one call. */
function readItems({ table, index, key, partition }: StoredList, Limit: number, ExclusiveStartKey?: Item) {
  const page = { TableName: table.tableName, IndexName: index, Limit, ExclusiveStartKey };
  // A Scan is intended: it stops at the limit, so it costs as little as a Query.
  if (partition === undefined) return dynamodb.send(new ScanCommand(page));
  return dynamodb.send(
    new QueryCommand({
      ...page,
      KeyConditionExpression: '#name = :value',
      ExpressionAttributeNames: { '#name': key.partition },
      ExpressionAttributeValues: { ':value': partition },
    }),
  );
}
