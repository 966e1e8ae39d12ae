import { isKeyValid, keyIdOf } from '../../shared/keys/api-key.ts';
import type { ApiKeyStore, KeyRow } from './api-key-store.ts';
import { isRowValid } from './key-state.ts';
import type { OpenStage } from './stage.ts';

/**
 * Copies the revocations and expiries of the previous table to a restored one, which lacks the latest.
 *
 * @returns the ids of keys that were revoked, that now expire earlier, that are valid but missing, and that are
 * valid without a record in the previous table, so that nobody knows whether they were revoked
 */
export async function copyRevocations(
  { keys }: OpenStage,
  previous: Pick<ApiKeyStore, 'tableName' | 'list'>,
) {
  if (previous.tableName === keys.tableName) {
    throw new Error(`Both tables are ${keys.tableName}: pass the restored one with --table.`);
  }
  const rows = await keys.list();
  const previousRows = await previous.list();
  const records = new Map(previousRows.map((row) => [row.keyHash, row]));
  const unrecorded = rows.filter((row) => isRowValid(row) && !isRecord(records.get(row.keyHash)));
  const revoked: KeyRow[] = [];
  const expiring: KeyRow[] = [];
  for (const row of rows) {
    const { revokedAt, revokedBy, expiresAt, rotatedBy } = records.get(row.keyHash) ?? {};
    if (revokedAt !== undefined && row.revokedAt === undefined) {
      await keys.revoke(row.keyHash, revokedAt, revokedBy);
      revoked.push(row);
    } else if (expiresAt !== undefined && isKeyValid(row, expiresAt)) {
      await keys.expire(row.keyHash, expiresAt, rotatedBy);
      expiring.push(row);
    }
  }
  const restored = new Set(rows.map(({ keyHash }) => keyHash));
  const lost = previousRows.filter((row) => isRowValid(row) && !restored.has(row.keyHash));
  return {
    revoked: keyIds(revoked),
    expiring: keyIds(expiring),
    lost: keyIds(lost),
    unrecorded: keyIds(unrecorded),
  };
}

/** Returns whether a row reliably shows if its key was revoked. A damaged row can only prove revocation. */
const isRecord = (row?: KeyRow) => row !== undefined && (!row.isDamaged || row.revokedAt !== undefined);

const keyIds = (rows: readonly KeyRow[]) => rows.map(({ keyHash }) => keyIdOf(keyHash));
