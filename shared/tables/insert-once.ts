import { createHash } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { ApiError } from '../contract/error-table.ts';
import { dynamodb, impossible, writeIf } from './dynamodb.ts';
import { damagedItemMessage, type Item, isDeleted, parseItem, parseOrLog } from './stored-item.ts';
import { type AttributesOf, type ItemOf, someKey, type Table } from './table.ts';

/** What distinguishes a client's create from all others. */
export interface Creation {
  readonly client: string;
  /** The client's Idempotency-Key, or a fresh UUID. */
  readonly key: string;
  /** The JSON as sent, not as a schema parses it: a retry is a replay on any version of the service. */
  readonly body: unknown;
}

/** How many SHA-256 bytes each half of a digest keeps. */
const halfLength = 16;

/**
 * The digest of a creation: 16 bytes of client and key, then 16 of the body. A longer one has a later format,
 * whose body this version cannot compare: it takes the bodies for equal, because a 422 must never be false.
 */
export const Digest = v.pipe(v.instance(Uint8Array), v.minLength(2 * halfLength));

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

/** Returns the id of what a creation makes, from 1 to 2^53 - 1. Each attempt (from 0) has its own. */
export function idOf({ client, key }: Omit<Creation, 'body'>, attempt: number): bigint {
  const first64Bits = sha256(JSON.stringify([client, key, attempt])).readBigUInt64BE();
  const first53Bits = first64Bits >> 11n;
  return first53Bits === 0n ? 1n : first53Bits;
}

/** Returns the digest of a creation. */
export function creationDigest({ client, key, body }: Creation): Uint8Array<ArrayBuffer> {
  const origin = sha256(JSON.stringify([client, key]));
  const payload = sha256(canonicalJson(body));
  return new Uint8Array([...origin.subarray(0, halfLength), ...payload.subarray(0, halfLength)]);
}

/** Compares the digest of a stored item with that of a create whose id the item has. */
export function compareDigests(
  stored: Uint8Array,
  own: Uint8Array,
): 'same' | 'other body' | 'other creation' {
  const isSameOrigin = Buffer.compare(stored.subarray(0, halfLength), own.subarray(0, halfLength)) === 0;
  if (!isSameOrigin) return 'other creation';
  const isKnownFormat = stored.length === own.length;
  return isKnownFormat && Buffer.compare(stored, own) !== 0 ? 'other body' : 'same';
}

/** Returns the same text for equal JSON, whatever the order of its keys. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson)}]`;
  if (typeof value === 'string') return JSON.stringify(value);
  // JSON.stringify would make an infinite number, such as 1e999, equal to null.
  if (typeof value !== 'object' || value === null) return `${value}`;
  const members = Object.entries(value).map(([name, member]) => [
    JSON.stringify(name),
    canonicalJson(member),
  ]);
  return `{${members.map((member) => member.join(':')).sort()}}`;
}

const sha256 = (text: string) => createHash('sha256').update(text).digest();
