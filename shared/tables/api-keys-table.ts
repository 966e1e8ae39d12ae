import type { GetItemInput } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { type Item, parseItem, StoredInstant, StoredText } from './stored-attributes.ts';
import { apiKeysTable } from './table-definitions.ts';

/** What the table holds of an API key: never the key. Instants are in seconds since 1970. */
export const StoredApiKey = v.object({
  keyHash: StoredText,
  client: StoredText,
  createdAt: StoredInstant,
  expiresAt: v.optional(StoredInstant),
  revokedAt: v.optional(StoredInstant),
  note: v.optional(StoredText),
});
export type StoredApiKey = v.InferOutput<typeof StoredApiKey>;

/** How an item is got: functions and operators have DynamoDB clients of their own. */
type GetItem = (input: GetItemInput) => Promise<{ readonly Item?: Item | undefined }>;

/** Reads a key by its hash, consistently: a revocation counts from the moment it is written. */
export async function readApiKey(
  getItem: GetItem,
  tableName: string,
  keyHash: string,
): Promise<StoredApiKey | undefined> {
  const { Item } = await getItem({
    TableName: tableName,
    Key: { [apiKeysTable.partitionKey]: { S: keyHash } },
    ConsistentRead: true,
  });
  return Item && parseItem(StoredApiKey, Item);
}

/** Whether a key opens the API at an instant, in seconds since 1970. */
export function isActive({ expiresAt, revokedAt }: StoredApiKey, now: number): boolean {
  return revokedAt === undefined && (expiresAt === undefined || now < expiresAt);
}
