import { keyIdOf } from '../../shared/contract/api-key.ts';
import { isActive, type StoredApiKey } from '../../shared/tables/api-keys-table.ts';
import type { AuditedApiKey } from './api-key-store.ts';
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
  readonly revoked: string | null;
  /** The ARNs of who did it; null for a key that is older than their record. */
  readonly issuedBy: string | null;
  readonly rotatedBy: string | null;
  readonly revokedBy: string | null;
}

/** What a key is good for at an instant, in seconds since 1970. */
export function stateOf(key: StoredApiKey, now: number): KeyState {
  if (key.revokedAt !== undefined) return 'revoked';
  if (!isActive(key, now)) return 'expired';
  return key.expiresAt !== undefined && key.expiresAt - now <= soon ? 'expiring' : 'active';
}

/** A key as it is listed at an instant. */
export function toListedKey(key: AuditedApiKey, now: number): ListedKey {
  const { keyHash, client, createdAt, expiresAt, revokedAt, note, issuedBy, rotatedBy, revokedBy } = key;
  return {
    keyId: keyIdOf(keyHash),
    client,
    created: formatInstant(createdAt),
    expires: expiresAt === undefined ? null : formatInstant(expiresAt),
    state: stateOf(key, now),
    note: note ?? null,
    revoked: revokedAt === undefined ? null : formatInstant(revokedAt),
    issuedBy: issuedBy ?? null,
    rotatedBy: rotatedBy ?? null,
    revokedBy: revokedBy ?? null,
  };
}
