import { QueryCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { GenericSchema } from 'valibot';
import { invalidCursor } from '../contract/schemas/page-cursor.ts';
import { dynamodb } from '../lambda/dynamodb.ts';
import { exactNumber } from '../lambda/exact-numbers.ts';
import { parseOrLog } from './stored-item.ts';
import type { TableId } from './table-definitions.ts';

/** All items of a table, or those with one value of the partition key of the table or of an index. */
interface List<T> {
  readonly table: TableId;
  readonly tableName: string;
  /** The `id`, a number, tells items with one value of the partition key apart. */
  readonly schema: GenericSchema<unknown, T & { readonly id: bigint }>;
  readonly index?: string;
  readonly partition?: readonly [name: string, value: string | bigint];
}

/** At most `limit` items after an id, or from the start of the list. */
export interface PageRequest {
  readonly limit: number;
  readonly after: string | undefined;
}

/**
 * Reads a page of a list, at the same cost wherever it starts. A damaged item is logged and left out. The
 * next page starts after the id `next`, which is undefined on the last page.
 *
 * @throws {ApiError} `invalid_query` if `after` is not a number that DynamoDB can store, and
 *   `service_unavailable` while DynamoDB is unreachable or throttling
 */
export async function readPage<T>(list: List<T>, { limit, after }: PageRequest) {
  const { table, tableName: TableName, schema, index: IndexName, partition } = list;
  const start = after === undefined ? undefined : { id: exactNumber(after) };
  const page = {
    TableName,
    IndexName,
    Limit: limit + 1,
    ExclusiveStartKey: start && partition ? { ...start, [partition[0]]: partition[1] } : start,
  };

  // A Scan is intended: it stops at the limit, so it costs as little as a Query.
  const { Items = [], LastEvaluatedKey } = await (partition === undefined
    ? dynamodb.send(new ScanCommand(page))
    : dynamodb.send(
        new QueryCommand({
          ...page,
          KeyConditionExpression: '#name = :value',
          ExpressionAttributeNames: { '#name': partition[0] },
          ExpressionAttributeValues: { ':value': partition[1] },
        }),
      )
  ).catch((error: unknown) => {
    // Only DynamoDB knows which numbers a key can be.
    const isRejected = error instanceof Error && error.name === 'ValidationException';
    throw isRejected && start ? invalidCursor() : error;
  });

  const items = Items.slice(0, limit);
  const last = Items.length > limit ? items.at(-1) : LastEvaluatedKey;
  return {
    items: items.flatMap((item) => parseOrLog(table, schema, item) ?? []),
    next: last && `${last['id']}`,
  };
}
