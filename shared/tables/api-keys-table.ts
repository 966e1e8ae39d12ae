import { GetCommand, type GetCommandOutput } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { parseItem } from './stored-item.ts';

/** A stored instant, in seconds since 1970, as DynamoDB's time to live expects it. */
export const StoredInstant = v.pipe(v.bigint(), v.transform(Number));

/** Returns the current time as it is stored: in whole seconds since 1970. */
export const nowInSeconds = (): number => Math.floor(Date.now() / 1000);

/** An API key as it is stored: its hash, never the key. */
export const StoredApiKey = v.object({
  keyHash: v.string(),
  client: v.string(),
  createdAt: StoredInstant,
  expiresAt: v.optional(StoredInstant),
  revokedAt: v.optional(StoredInstant),
  note: v.optional(v.string()),
});
export type StoredApiKey = v.InferOutput<typeof StoredApiKey>;

/**
 * Reads a key by its hash, consistently: no earlier revocation is missed.
 *
 * @throws {Error} if the key is damaged, after logging it
 */
export async function readApiKey(
  dynamodb: { send(command: GetCommand): Promise<GetCommandOutput> },
  tableName: string,
  keyHash: string,
): Promise<StoredApiKey | undefined> {
  const { Item } = await dynamodb.send(
    new GetCommand({ TableName: tableName, Key: { keyHash }, ConsistentRead: true }),
  );
  return Item && parseItem('apiKeys', StoredApiKey, Item);
}

/** Returns whether a key is neither revoked nor expired at an instant. */
export function isKeyValid(
  { expiresAt, revokedAt }: Pick<StoredApiKey, 'expiresAt' | 'revokedAt'>,
  now = nowInSeconds(),
): boolean {
  return revokedAt === undefined && (expiresAt === undefined || now < expiresAt);
}
