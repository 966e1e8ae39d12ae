import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { dynamodb } from './dynamodb.ts';
import { isDeleted, parseItem } from './stored-item.ts';
import type { ItemOf, KeyOf, Table } from './table.ts';

/**
 * Reads an item consistently: one that was written is found immediately.
 *
 * @throws {ApiError} `service_unavailable` while DynamoDB is unreachable or throttling
 * @throws {Error} if the item is damaged, after logging it
 */
export async function readItem<T extends Table>(table: T, key: KeyOf<T>): Promise<ItemOf<T> | undefined> {
  const { Item } = await dynamodb.send(
    new GetCommand({ TableName: table.tableName, Key: key, ConsistentRead: true }),
  );
  return Item && !isDeleted(Item) ? parseItem(table, Item) : undefined;
}
