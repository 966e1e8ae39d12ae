import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { ApiError } from '../contract/errors/error-table.ts';
import { dynamodb, existingItem } from '../lambda/dynamodb.ts';
import { type Creation, compareDigests, creationDigest, Digest, idOf } from './creation.ts';
import { damagedItemMessage, type Item, type ItemTable, parseItem, parseOrLog } from './stored-item.ts';
import { type TableId, tables } from './table-definitions.ts';

/** The digest of an item's creation is stored beside the fields of its schema, and never returned. */
const Created = v.object({ digest: Digest });

const deletedMessage =
  'What this Idempotency-Key created has been deleted: send a new key to create another.';

/** A condition that no item meets, for a write during init. `#key` is the partition key. */
export const never = 'attribute_exists(#key) AND attribute_not_exists(#key)';

/**
 * Writes a new item exactly once, however often the same creation is repeated. `itemOf` returns the item with
 * the id that the creation gets: from 1 to 2^53 - 1, and part of the item's key.
 *
 * @throws {ApiError} `idempotency_key_reused` if the client sent the key with another body, or if the item
 *   was deleted since, and `service_unavailable` while DynamoDB is unreachable or throttling
 * @throws {Error} if the item that the creation made is damaged, after logging it
 *
 * @example
 * ```ts
 * const { item, isReplay } = await insertOnce(pets, creation, (id) => ({ id, ...newPet }));
 * ```
 */
export async function insertOnce<Id extends TableId, T extends Item>(
  { table, tableName, schema }: ItemTable<Id, T>,
  creation: Creation,
  itemOf: (id: bigint) => T,
): Promise<{ readonly item: T; readonly isReplay: boolean }> {
  const digest = creationDigest(creation);

  for (let attempt = 0; ; attempt += 1) {
    const item = itemOf(idOf(creation, attempt));
    const existing = await putIf('attribute_not_exists(#key)', {
      table,
      tableName,
      item: { ...item, digest },
    });
    if (!existing) return { item, isReplay: false };

    const difference = compareDigests(digestOf(table, existing), digest);
    if (difference === 'other creation') continue;
    const stored = parseItem(table, schema, existing);
    if (!stored) throw new ApiError('idempotency_key_reused', deletedMessage);
    if (difference === 'other body') throw new ApiError('idempotency_key_reused');
    return { item: stored, isReplay: true };
  }
}

/** Makes the same call as `insertOnce`, and never writes. */
export async function insertNothing<Id extends TableId>({
  table,
  tableName,
}: Pick<ItemTable<Id, unknown>, 'table' | 'tableName'>): Promise<void> {
  const key = Object.entries(tables[table].key).map(([name, type]) => [name, type === 'N' ? 0n : 'none']);
  await putIf(never, { table, tableName, item: Object.fromEntries(key) });
}

interface Put {
  readonly table: TableId;
  readonly tableName: string;
  readonly item: Item;
}

/** Puts an item if `condition` holds for the item that has its key; if not, returns that item. */
async function putIf(condition: string, { table, tableName, item }: Put): Promise<Item | undefined> {
  const [partitionKey = ''] = Object.keys(tables[table].key);
  const put = new PutCommand({
    TableName: tableName,
    Item: item,
    ConditionExpression: condition,
    ExpressionAttributeNames: { '#key': partitionKey },
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  try {
    await dynamodb.send(put);
    return undefined;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return existingItem(error);
    throw error;
  }
}

/** Returns the digest of an item, which a deleted one has as well. */
function digestOf(table: TableId, item: Item): Uint8Array {
  const created = parseOrLog(table, Created, item);
  if (!created) throw new Error(damagedItemMessage);
  return created.digest;
}
