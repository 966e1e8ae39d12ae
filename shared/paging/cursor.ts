import { crc32 } from 'node:zlib';
import { ApiError } from '../contract/error-table.ts';
import { exactNumber } from '../tables/dynamodb.ts';
import type { Item } from '../tables/stored-item.ts';
import { type Key, namesOf, type TableDefinition } from '../tables/table.ts';

/** The items of a table, as a key sorts them: all, or those with one value of the key's partition attribute. */
export interface List {
  readonly table: TableDefinition;
  readonly key: Key;
  readonly partition: string | bigint | undefined;
}

const version = '1';

const message = 'cursor must come from a Link header and be sent with the same filters.';

/** The error for a cursor from anywhere but a `Link` header. */
export const invalidCursor = () => new ApiError('invalid_query', message, { details: { invalid: 'cursor' } });

/** Returns the opaque cursor of the page that starts after an item of a list, bound to the list's key and filter. */
export function encodeCursor(list: List, item: Item): string {
  const position = positionNames(list).map((name) => escapeText(item[name]));
  const place = [version, namesOf(list.key), escapeText(list.partition ?? ''), position].join('.');
  return Buffer.from(`${place}.${crc32(place)}`).toString('base64url');
}

/**
 * Returns the key attributes of the item after which a cursor's page starts. The checksum detects altered
 * cursors. It is not a signature, because a page may start anywhere.
 *
 * @throws {ApiError} `invalid_query` unless `encodeCursor` made the cursor for the same list
 */
export function decodeCursor(list: List, cursor: string): Item {
  const { table, key, partition } = list;
  const [, , , position = ''] = Buffer.from(cursor, 'base64url').toString().split('.');
  const texts = position.split(',').map((text) => text.replaceAll(/%(2[5CE])/g, decodeURIComponent));
  const values = positionNames(list).map((name, index) => {
    const text = texts[index] ?? '';
    return [name, table.keyTypes[name] === 'N' ? exactNumber(text) : text] as const;
  });
  const item: Record<string, unknown> = Object.fromEntries(values);
  if (partition !== undefined) item[key.partition] = partition;
  // Whatever was decoded: only what `encodeCursor` makes for this list, with its filter, is accepted.
  if (encodeCursor(list, item) !== cursor) throw invalidCursor();
  return item;
}

/** Returns the attributes of the table's key and the list's, without the partition that the list gives. */
const positionNames = ({ table, key, partition }: List): readonly string[] =>
  [...new Set([...namesOf(table.key), ...namesOf(key)])].filter(
    (name) => partition === undefined || name !== key.partition,
  );

const escapeText = (value: unknown) =>
  `${value}`.replaceAll('%', '%25').replaceAll(',', '%2C').replaceAll('.', '%2E');
