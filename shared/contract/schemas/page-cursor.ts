import { crc32 } from 'node:zlib';
import { ApiError } from '../errors/error-table.ts';

/** The filters of a list, in the order of its query's schema. */
export type Filter = Readonly<Record<string, string | bigint | undefined>>;

const version = '1';
const message = 'cursor must come from a Link header and be sent with the same filters.';

/** The error for a cursor from anywhere but a `Link` header. */
export const invalidCursor = () => new ApiError('invalid_query', message, { details: { invalid: 'cursor' } });

/** Returns the opaque cursor of the page that starts after a position in a list. */
export function encodeCursor(position: string, filter: Filter): string {
  const place = startOf(filter) + position;
  return Buffer.from(`${place}.${crc32(place)}`).toString('base64url');
}

/**
 * Returns the position after which a cursor's page starts. The checksum detects altered cursors. It is not a
 * signature, because a page may start anywhere.
 *
 * @throws {ApiError} `invalid_query` unless `encodeCursor` made the cursor for the same filter
 */
export function decodeCursor(cursor: string, filter: Filter): string {
  const text = Buffer.from(cursor, 'base64url').toString();
  const position = text.slice(startOf(filter).length, text.lastIndexOf('.'));
  if (encodeCursor(position, filter) !== cursor) throw invalidCursor();
  return position;
}

/** Returns what each cursor of a filtered list starts with. It stays the same when a list gets a filter. */
function startOf(filter: Filter): string {
  const values = Object.values(filter);
  const given = values.slice(0, values.findLastIndex((value) => value !== undefined) + 1);
  const escaped = given.map((value = '') => `${value}`.replaceAll(/[\\.,]/g, '\\$&'));
  return `${version}.${escaped}.`;
}
