import { GetCommand, type GetCommandOutput } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { invalidFields } from '../contract/errors/parse.ts';

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
 * @throws {Error} if the key is damaged, naming its invalid attributes, never their values
 */
export async function readApiKey(
  dynamodb: { send(command: GetCommand): Promise<GetCommandOutput> },
  tableName: string,
  keyHash: string,
): Promise<StoredApiKey | undefined> {
  const { Item } = await dynamodb.send(
    new GetCommand({ TableName: tableName, Key: { keyHash }, ConsistentRead: true }),
  );
  if (!Item) return undefined;
  const { success, output, issues } = v.safeParse(StoredApiKey, Item);
  if (success) return output;
  throw new Error(`A stored API key has invalid attributes: ${invalidFields(issues)}.`);
}

/** Returns whether a key is neither revoked nor expired at an instant. */
export function isKeyValid(
  { expiresAt, revokedAt }: Pick<StoredApiKey, 'expiresAt' | 'revokedAt'>,
  now = nowInSeconds(),
): boolean {
  return revokedAt === undefined && (expiresAt === undefined || now < expiresAt);
}
