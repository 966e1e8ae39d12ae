import { keyIdOf } from '../../shared/contract/api-key.ts';
import { isActive, type StoredApiKey } from '../../shared/tables/api-keys-table.ts';
import { formatInstant } from './instants.ts';

/** A key that expires within this time is said to expire soon, in seconds. */
const soon = 14 * 24 * 60 * 60;

export type KeyState = 'active' | 'expiring' | 'expired' | 'revoked';

/** A key as an operator sees it, its times in ISO 8601. */
export interface ListedKey {
  readonly keyId: string;
  readonly client: string;
  readonly created: string;
  readonly expires: string | null;
  readonly state: KeyState;
  readonly note: string | null;
}

/** What a key is good for at an instant, in seconds since 1970. */
export function stateOf(key: StoredApiKey, now: number): KeyState {
  if (key.revokedAt !== undefined) return 'revoked';
  if (!isActive(key, now)) return 'expired';
  return key.expiresAt !== undefined && key.expiresAt - now <= soon ? 'expiring' : 'active';
}

/** A key as it is listed at an instant. */
export function toListedKey(key: StoredApiKey, now: number): ListedKey {
  const { keyHash, client, createdAt, expiresAt, note } = key;
  return {
    keyId: keyIdOf(keyHash),
    client,
    created: formatInstant(createdAt),
    expires: expiresAt === undefined ? null : formatInstant(expiresAt),
    state: stateOf(key, now),
    note: note ?? null,
  };
}
