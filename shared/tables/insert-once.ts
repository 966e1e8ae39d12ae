import { randomUUID } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { ApiError } from '../contract/error-table.ts';
import { type Creation, compareDigests, creationDigest, Digest, idFor } from './creation-digest.ts';
import { dynamodb } from './dynamodb.ts';
import { type Item, isDeleted, parseItem } from './stored-item.ts';
import { type AttributesOf, type ItemOf, someKey, type Table } from './table.ts';
import { impossible, writeIf } from './write-if.ts';

/** What any item has beside the fields of its schema, deleted or not, and no function returns. */
const Created = v.object({ digest: Digest });

/** A request to create an item. Its body is the JSON before any schema. */
interface CreateRequest extends Omit<Creation, 'idempotencyKey'> {
  readonly idempotencyKey: string | undefined;
}

/**
 * Writes a new item exactly once, however often the same request is repeated. `itemOf` returns the item with
 * the id that it gets: from 1 to 2^53 - 1, and part of the item's key.
 *
 * No create makes two items, and none is lost: the same client and idempotency key have the same id, and the
 * put succeeds only while no item has that id. If one has it, its digest tells this creation (a replay) from the
 * same with another body (a 422), and from another with the same 53 bits: then it gets another id. Only an
 * item that was put or found is a success, but a 503 may come after the write: the same Idempotency-Key finds
 * the item. Without one, only the SDK's own repeats of the put are safe.
 *
 * @throws {ApiError} `already_deleted` if the item was deleted since, `idempotency_key_reused` if the client sent the
 *   Idempotency-Key with another body, and `service_unavailable` while DynamoDB is unreachable or throttling
 * @throws {Error} if the item that the creation made is damaged, after logging it
 */
export async function insertOnce<T extends Table>(
  table: T,
  request: CreateRequest,
  itemOf: (id: bigint) => AttributesOf<T>,
): Promise<{ readonly item: ItemOf<T>; readonly isReplay: boolean }> {
  // Without a key, no other request repeats this one.
  const creation = { ...request, idempotencyKey: request.idempotencyKey ?? randomUUID() };
  const digest = creationDigest(creation);

  for (let collisions = 0; ; collisions += 1) {
    const newItem = { ...itemOf(idFor(creation, collisions)), digest };
    // Before the write, so that no item is stored that cannot be read.
    const item = parseItem(table, newItem);
    // The item that has the id already. If DynamoDB does not send it, `{}` is damaged: it has no digest.
    const { isWritten, item: existing = {} } = await putIf('attribute_not_exists(#key)', table, newItem);
    if (isWritten) return { item, isReplay: false };

    const created = parseItem({ ...table, schema: Created }, existing);
    const difference = compareDigests(created.digest, digest);
    if (difference === 'other creation') continue;
    // A deleted item has only its key and its digest: it would not parse.
    if (isDeleted(existing)) throw new ApiError('already_deleted');
    // A damaged item is an error whatever the body is, so that somebody notices it.
    const stored = parseItem(table, existing);
    if (difference === 'other body') throw new ApiError('idempotency_key_reused');
    return { item: stored, isReplay: true };
  }
}

/** Sends the put of `insertOnce` with a condition that no item meets: DynamoDB refuses it. */
export async function sendRefusedPut(table: Table): Promise<void> {
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
