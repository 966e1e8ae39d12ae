import { GetCommand, type GetCommandOutput } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { nowInSeconds, parseItem, StoredInstant } from './stored-items.ts';
import { apiKeysTable } from './table-definitions.ts';

/** An API key as it is stored: its hash, never the key. Instants are in seconds since 1970. */
export const StoredApiKey = v.object({
  keyHash: v.string(),
  client: v.string(),
  createdAt: StoredInstant,
  expiresAt: v.optional(StoredInstant),
  revokedAt: v.optional(StoredInstant),
  note: v.optional(v.string()),
});
export type StoredApiKey = v.InferOutput<typeof StoredApiKey>;

/** The part of a document client used here. */
interface Dynamodb {
  send(command: GetCommand): Promise<GetCommandOutput>;
}

/** Reads a key by its hash, consistently: a revocation counts from the moment it is written. */
export async function readApiKey(
  dynamodb: Dynamodb,
  tableName: string,
  keyHash: string,
): Promise<StoredApiKey | undefined> {
  const { Item } = await dynamodb.send(
    new GetCommand({
      TableName: tableName,
      Key: { [apiKeysTable.partitionKey]: keyHash },
      ConsistentRead: true,
    }),
  );
  return Item && parseItem(StoredApiKey, Item);
}

/** Whether a key is valid at an instant: neither revoked nor expired. */
export function isKeyValid(
  { expiresAt, revokedAt }: Pick<StoredApiKey, 'expiresAt' | 'revokedAt'>,
  now = nowInSeconds(),
): boolean {
  return revokedAt === undefined && (expiresAt === undefined || now < expiresAt);
}
