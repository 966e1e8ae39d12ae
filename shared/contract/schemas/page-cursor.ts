import { crc32 } from 'node:zlib';
import { ApiError } from '../errors/error-table.ts';
import type { PetStatus } from './pet.ts';

const version = '1';
const message = 'cursor must come from a Link header and be sent with the same status filter.';

/** Returns the opaque cursor of the page that starts after `id` in the list filtered by `status`. */
export function encodeCursor(id: bigint, status: PetStatus | undefined): string {
  const place = `${version}.${status ?? ''}.${id}`;
  return Buffer.from(`${place}.${crc32(place)}`).toString('base64url');
}

/**
 * Returns the id after which a cursor's page starts. The checksum detects altered cursors. It is not a
 * signature, because a page may start at any integer.
 *
 * @throws {ApiError} `invalid_query` unless `encodeCursor` made the cursor for the same `status`
 */
export function decodeCursor(cursor: string, status: PetStatus | undefined): bigint {
  const [, , digits = ''] = Buffer.from(cursor, 'base64url').toString().split('.');
  const id = /^-?\d{1,19}$/.test(digits) ? BigInt(digits) : 0n;

  if (encodeCursor(id, status) !== cursor) throw new ApiError('invalid_query', message);
  return id;
}
