import { keyIdOf } from '../../shared/contract/api-key.ts';
import { isKeyValid, nowInSeconds } from '../../shared/tables/api-keys-table.ts';
import type { KeyRow } from './api-key-store.ts';
import { formatInstant } from './expiry.ts';

/** A key that expires within this many seconds is listed as expiring soon. */
const soon = 14 * 24 * 60 * 60;

/** Whether a key is valid at an instant. A damaged one never is. */
export const isRowValid = (row: KeyRow, at = nowInSeconds()): boolean =>
  !row.isDamaged && isKeyValid(row, at);

/** Returns the state of a key now. */
export function stateOf(row: KeyRow): 'active' | 'expiring' | 'expired' | 'revoked' | 'damaged' {
  if (row.revokedAt !== undefined) return 'revoked';
  if (row.isDamaged) return 'damaged';
  if (!isKeyValid(row)) return 'expired';
  return isKeyValid(row, nowInSeconds() + soon) ? 'active' : 'expiring';
}

/** A key as operators see it. */
export type ListedKey = ReturnType<typeof toListedKey>;

/** Converts a key for the list: its times in ISO 8601, and null for what is not known. */
export function toListedKey(row: KeyRow) {
  const { client = null, note = null, issuedBy = null, rotatedBy = null, revokedBy = null } = row;
  return {
    keyId: keyIdOf(row.keyHash),
    client,
    created: formatInstant(row.createdAt),
    expires: formatInstant(row.expiresAt),
    state: stateOf(row),
    note,
    revoked: formatInstant(row.revokedAt),
    issuedBy,
    rotatedBy,
    revokedBy,
  };
}
