import * as v from 'valibot';
import { nowInSeconds, StoredInstant } from '../tables/stored-instant.ts';
import type { TableDefinition } from '../tables/table.ts';

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

/** The table of API keys. */
export const apiKeyTable = {
  id: 'apiKeys',
  nameVariable: 'API_KEYS_TABLE',
  schema: StoredApiKey,
  key: { partition: 'keyHash' },
  indexes: {},
  keyTypes: { keyHash: 'S' },
  timeToLive: 'purgeAt',
} as const satisfies TableDefinition<StoredApiKey>;

/** Returns whether a key is neither revoked nor expired at an instant. */
export function isKeyValid(
  { expiresAt, revokedAt }: Pick<StoredApiKey, 'expiresAt' | 'revokedAt'>,
  now = nowInSeconds(),
): boolean {
  return revokedAt === undefined && (expiresAt === undefined || now < expiresAt);
}
