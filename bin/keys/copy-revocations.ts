import { isKeyValid, keyIdOf } from '../../shared/keys/api-key.ts';
import { nowInSeconds } from '../../shared/tables/stored-item.ts';
import type { ApiKeyStore, KeyRow } from './api-key-store.ts';
import { isRowValid } from './key-state.ts';
import type { OpenStage } from './stage.ts';

/** What to do with valid keys that the previous table has no record of: they may have been revoked. */
export type MissingKeys = 'revoke' | 'keep';

/**
 * Copies the revocations and expiries of the previous table to a restored one, which lacks the latest.
 *
 * @returns the ids of keys that were revoked, that now expire earlier, and that are valid but missing
 * @throws {Error}, changing nothing, if `missing` is undefined but the previous table lacks a valid key
 */
export async function copyRevocations(
  { keys, caller }: OpenStage,
  previous: Pick<ApiKeyStore, 'tableName' | 'list'>,
  missing?: MissingKeys,
) {
  if (previous.tableName === keys.tableName) {
    throw new Error(`Both tables are ${keys.tableName}: pass the restored one with --table.`);
  }
  const rows = await keys.list();
  const previousRows = await previous.list();
  const records = new Map(previousRows.map((row) => [row.keyHash, row]));
  const unrecorded = rows.filter((row) => isRowValid(row) && !isRecord(records.get(row.keyHash)));
  if (unrecorded.length > 0 && missing === undefined) {
    throw new Error(
      `${previous.tableName} has no record of these valid keys, which may have been revoked: ${keyIds(unrecorded).join(', ')}. Nothing was changed: pass --missing revoke or --missing keep.`,
    );
  }

  const revoked = missing === 'revoke' ? [...unrecorded] : [];
  const by = revoked.length > 0 ? await caller() : undefined;
  for (const { keyHash } of revoked) await keys.revoke(keyHash, nowInSeconds(), by);
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
  return { revoked: keyIds(revoked), expiring: keyIds(expiring), lost: keyIds(lost) };
}

/** Returns whether a row reliably shows if its key was revoked. A damaged row can only prove revocation. */
const isRecord = (row?: KeyRow) => row !== undefined && (!row.isDamaged || row.revokedAt !== undefined);

const keyIds = (rows: readonly KeyRow[]) => rows.map(({ keyHash }) => keyIdOf(keyHash));
