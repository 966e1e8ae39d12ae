import { crc32 } from 'node:zlib';
import { ApiError } from '../errors/api-error.ts';
import { maxId } from './int64.ts';
import type { PetStatus } from './pet.ts';

const version = '1';

/** The opaque cursor of the page that starts after `id` in the list filtered by `status`. */
export function encodeCursor(id: bigint, status: PetStatus | undefined): string {
  const place = `${version}.${status ?? ''}.${id}`;
  return Buffer.from(`${place}.${crc32(place)}`).toString('base64url');
}

/**
 * The id after which the page of a cursor starts. The checksum tells an altered cursor from a real one; it is no
 * signature, because any id is a valid place to start.
 *
 * @throws {ApiError} `invalid_query` unless `encodeCursor` made the cursor for the same `status`
 */
export function decodeCursor(cursor: string, status: PetStatus | undefined): bigint {
  const [, , digits = ''] = Buffer.from(cursor, 'base64url').toString().split('.');
  const id = /^[1-9]\d{0,15}$/.test(digits) ? BigInt(digits) : 0n;

  if (id < 1n || id > maxId || encodeCursor(id, status) !== cursor) {
    throw new ApiError(
      'invalid_query',
      'cursor must be the one of a Link header, sent with the same status filter.',
    );
  }
  return id;
}
