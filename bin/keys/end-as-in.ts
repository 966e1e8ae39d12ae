import { keyIdOf } from '../../shared/contract/api-key.ts';
import { isActive } from '../../shared/tables/api-keys-table.ts';
import type { ApiKeyStore, AuditedApiKey } from './api-key-store.ts';

/** What became of the keys, by their keyIds. */
export interface EndedKeys {
  readonly revoked: readonly string[];
  /** Those that expire earlier than they would have. */
  readonly expiring: readonly string[];
  /** Good keys of the other table that are not in this one, and can't be brought back. */
  readonly missing: readonly string[];
}

/**
 * Ends the keys of a table as they have ended in another one: a table that was restored has keys again that were revoked
 * or rotated since. Done again it does nothing more.
 */
export async function endAsIn(keys: ApiKeyStore, other: ApiKeyStore): Promise<EndedKeys> {
  const own = new Map((await keys.list()).map((key) => [key.keyHash, key]));
  const ended = { revoked: [] as string[], expiring: [] as string[], missing: [] as string[] };
  for (const key of await other.list()) {
    const what = await endOne(keys, own.get(key.keyHash), key);
    if (what) ended[what].push(keyIdOf(key.keyHash));
  }
  return ended;
}

async function endOne(
  keys: ApiKeyStore,
  own: AuditedApiKey | undefined,
  { expiresAt = Number.POSITIVE_INFINITY, revokedAt, revokedBy, rotatedBy, ...other }: AuditedApiKey,
): Promise<keyof EndedKeys | undefined> {
  if (!own) {
    const isGood = isActive({ ...other, expiresAt, revokedAt }, Math.floor(Date.now() / 1000));
    return isGood ? 'missing' : undefined;
  }
  if (own.revokedAt !== undefined) return undefined;
  if (revokedAt !== undefined) {
    await keys.revoke(own, revokedAt, revokedBy);
    return 'revoked';
  }
  if (expiresAt >= (own.expiresAt ?? Number.POSITIVE_INFINITY)) return undefined;
  await keys.expire(own, expiresAt, rotatedBy);
  return 'expiring';
}
