import { PutCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { ApiError } from '../contract/error-table.ts';
import { type Creation, compareDigests, creationDigest, Digest, idOf } from './creation-digest.ts';
import { dynamodb } from './dynamodb.ts';
import { damagedItemMessage, type Item, isDeleted, parseItem, parseOrLog } from './stored-item.ts';
import { type AttributesOf, type ItemOf, someKey, type Table } from './table.ts';
import { impossible, writeIf } from './write-if.ts';

/** The digest of an item's creation is stored beside the fields of its schema, and never returned. */
const Created = v.object({ digest: Digest });

const deletedMessage =
  'What this Idempotency-Key created has been deleted: send a new key to create another.';

/**
 * Writes a new item exactly once, however often the same creation is repeated. `itemOf` returns the item with
 * the id that the creation gets: from 1 to 2^53 - 1, and part of the item's key.
 *
 * @throws {ApiError} `idempotency_key_reused` if the client sent the key with another body, or if the item
 *   was deleted since, and `service_unavailable` while DynamoDB is unreachable or throttling
 * @throws {Error} if the item that the creation made is damaged, after logging it
 */
export async function insertOnce<T extends Table>(
  table: T,
  creation: Creation,
  itemOf: (id: bigint) => AttributesOf<T>,
): Promise<{ readonly item: ItemOf<T>; readonly isReplay: boolean }> {
  const digest = creationDigest(creation);

  for (let attempt = 0; ; attempt += 1) {
    const newItem = { ...itemOf(idOf(creation, attempt)), digest };
    // Before the write, so that no item is stored that cannot be read.
    const item = parseItem(table, newItem);
    // The condition fails only on an existing item, which DynamoDB then returns: `{}` counts as damaged.
    const { isWritten, item: existing = {} } = await putIf('attribute_not_exists(#key)', table, newItem);
    if (isWritten) return { item, isReplay: false };

    const difference = compareDigests(digestOf(table, existing), digest);
    // Another creation has the same 53 bits: the next attempt has others.
    if (difference === 'other creation') continue;
    if (isDeleted(existing)) throw new ApiError('idempotency_key_reused', deletedMessage);
    // Before the 422, so that a damaged item is noticed whatever the body is.
    const stored = parseItem(table, existing);
    if (difference === 'other body') throw new ApiError('idempotency_key_reused');
    return { item: stored, isReplay: true };
  }
}

/** Makes the same call as `insertOnce`, and never writes. */
export async function insertNothing(table: Table): Promise<void> {
  await putIf(impossible, table, someKey(table));
}

/** Puts an item if `condition` holds for the item that has its key. */
const putIf = (condition: string, { tableName, key }: Table, item: Item) =>
  writeIf((lastWrite) =>
    dynamodb.send(
      new PutCommand({
        TableName: tableName,
        Item: { ...item, lastWrite },
        ConditionExpression: condition,
        ExpressionAttributeNames: { '#key': key.partition },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    ),
  );

/** Returns the digest of an item, which a deleted one has as well. */
function digestOf(table: Table, item: Item): Uint8Array {
  const created = parseOrLog(table, Created, item);
  if (!created) throw new Error(damagedItemMessage);
  return created.digest;
}
