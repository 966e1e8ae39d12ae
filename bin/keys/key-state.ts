import { isKeyValid, keyIdOf } from '../../shared/keys/api-key.ts';
import { nowInSeconds } from '../../shared/tables/stored-item.ts';
import type { ApiKeyStore, KeyRow } from './api-key-store.ts';
import { formatInstant } from './expiry.ts';

/** A key that expires within two weeks is listed as expiring. */
const soonSeconds = 14 * 24 * 60 * 60;

/** Returns whether a key is valid at an instant. A damaged one never is. */
export const isRowValid = (row: KeyRow, at = nowInSeconds()): boolean =>
  !row.isDamaged && isKeyValid(row, at);

export function stateOf(row: KeyRow): 'active' | 'expiring' | 'expired' | 'revoked' | 'damaged' {
  if (row.revokedAt !== undefined) return 'revoked';
  if (row.isDamaged) return 'damaged';
  if (!isKeyValid(row)) return 'expired';
  return isKeyValid(row, nowInSeconds() + soonSeconds) ? 'active' : 'expiring';
}

/** A new key as its operator sees it, only this once. */
export type IssuedKey = ReturnType<typeof toIssuedKey>;

export const toIssuedKey = ({ expiresAt, ...issued }: Awaited<ReturnType<ApiKeyStore['issue']>>) => ({
  ...issued,
  expires: formatInstant(expiresAt),
});

export type ListedKey = ReturnType<typeof toListedKey>;

/** Converts a key for operators: times to ISO 8601, and unknown values to null. */
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
