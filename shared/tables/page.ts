import { QueryCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from '../lambda/dynamodb.ts';
import { decodePosition, encodePosition } from './position.ts';
import { type Item, type ItemTable, isDeleted, parseOrLog } from './stored-item.ts';
import { type Key, type TableDefinition, type TableId, tables } from './table-definitions.ts';

/** All items of a table or of one of its indexes, or those with one value of its partition key. */
interface List<Id extends TableId, T> extends ItemTable<Id, T> {
  readonly index?: string & keyof (typeof tables)[Id]['indexes'];
  readonly partition?: string | bigint;
}

/** At most `limit` items after a position, or from the start of the list. */
export interface PageRequest {
  readonly limit: number;
  readonly after: string | undefined;
}

/** The most calls for a page, of which all but the first make up for deleted items. */
const maxCalls = 10;

/**
 * Reads a page of a list, at the same cost wherever it starts. A damaged item is logged and left out. The
 * next page starts after the position `next`, which is undefined on the last page.
 *
 * @throws {ApiError} `invalid_query` if `after` cannot be a position in the list, and `service_unavailable`
 *   while DynamoDB is unreachable or throttling
 *
 * @example
 * ```ts
 * await readPage({ ...pets, index: 'byStatus', partition: 'sold' }, { limit: 20, after: undefined });
 * ```
 */
export async function readPage<Id extends TableId, T>(list: List<Id, T>, { limit, after }: PageRequest) {
  const { table, schema, partition } = list;
  const definition: TableDefinition = tables[table];
  const listKey = keyOf(definition, list.index);
  const [partitionName = ''] = Object.keys(listKey);
  const given = partition === undefined ? {} : { [partitionName]: partition };
  const keys = [definition.key, listKey];

  const found: Item[] = [];
  let start: Item | undefined = after === undefined ? undefined : decodePosition(keys, given, after);
  for (let call = 1; ; call += 1) {
    const Limit = limit + 1 - found.length;
    const { Items = [], LastEvaluatedKey } = await read(list, given, { Limit, ExclusiveStartKey: start });
    const items = Items.filter((item) => !isDeleted(item));
    found.push(...items);
    start = LastEvaluatedKey;
    // Deleted items make a page short only where a list has hardly anything else.
    if (items.length === Items.length || !start || call === maxCalls) break;
  }

  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : start;
  return {
    items: page.flatMap((item) => parseOrLog(table, schema, item) ?? []),
    next: last && encodePosition(keys, given, last),
  };
}

/** Returns the key by which a list is ordered. */
function keyOf({ key, indexes }: TableDefinition, index: string | undefined): Key {
  return (index === undefined ? undefined : indexes[index]) ?? key;
}

/** Reads items of a list in one call. */
function read<Id extends TableId, T>(
  { tableName, index }: List<Id, T>,
  given: Readonly<Record<string, string | bigint>>,
  { Limit, ExclusiveStartKey }: { Limit: number; ExclusiveStartKey: Item | undefined },
) {
  const page = { TableName: tableName, IndexName: index, Limit, ExclusiveStartKey };
  const [equal] = Object.entries(given);
  // A Scan is intended: it stops at the limit, so it costs as little as a Query.
  if (!equal) return dynamodb.send(new ScanCommand(page));
  return dynamodb.send(
    new QueryCommand({
      ...page,
      KeyConditionExpression: '#name = :value',
      ExpressionAttributeNames: { '#name': equal[0] },
      ExpressionAttributeValues: { ':value': equal[1] },
    }),
  );
}
