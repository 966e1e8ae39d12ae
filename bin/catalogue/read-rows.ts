import { isUtf8 } from 'node:buffer';
import { parseJson } from '../../shared/contract/json.ts';
import type { ColumnOptions } from './columns.ts';
import { readCsv } from './read-csv.ts';
import { readNdjson } from './read-ndjson.ts';
import type { Row } from './row.ts';

export const formats = ['csv', 'ndjson'] as const;
export type Format = (typeof formats)[number];

/** Returns the format that a file's name ends in. */
export function formatOf(file: string): Format {
  const format = formats.find((name) => file.toLowerCase().endsWith(`.${name}`));
  if (format) return format;
  throw new Error(`The format of ${file} is unknown: pass --format.`);
}

/** Returns the rows of a file's content. By its columns, renamed or not, the separator of CSV is recognized. */
export function readRows(content: Buffer, format: Format, map: ColumnOptions['map']): readonly Row[] {
  if (!isUtf8(content)) {
    throw new Error('The file is not in UTF-8: save it as UTF-8, in a spreadsheet as CSV UTF-8.');
  }
  // Skips a byte order mark.
  const text = new TextDecoder().decode(content);
  assertFormat(text.trimStart(), format);
  return format === 'csv' ? readCsv(text, map) : readNdjson(text);
}

/**
 * Checks how a file begins, because some lines of another format may look like rows.
 *
 * @throws {Error} that says what to do instead
 */
function assertFormat(text: string, format: Format): void {
  const [first = ''] = /^[^\r\n]*/.exec(text) ?? [];
  // NDJSON may begin with an array, and then only this row is wrong.
  const isOneRow = format === 'ndjson' && first.trimEnd() !== text.trimEnd() && isJson(first);
  if (/^\[\s*([{["]|$)/.test(first) && !isOneRow) {
    throw new Error("The file is a JSON array. Write each object on a line of its own, as jq -c '.[]' does.");
  }
  if (/^\{\s*$/.test(first)) {
    throw new Error('The file has an object over several lines. Write each on one line, as jq -c . does.');
  }
  if (format === 'csv' && /^\{\s*["}]/.test(first)) {
    throw new Error('The file has JSON instead of CSV. If each line is an object, pass --format ndjson.');
  }
  if (format === 'ndjson' && text !== '' && !/^[\t ]*\{/m.test(text)) {
    throw new Error('No line of the file is a JSON object. If it is CSV, pass --format csv.');
  }
}

function isJson(text: string): boolean {
  try {
    parseJson(text);
    return true;
  } catch {
    return false;
  }
}
