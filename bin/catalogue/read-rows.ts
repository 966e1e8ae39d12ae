import type { Readable } from 'node:stream';
import { type CsvError, parse as parseCsv } from 'csv-parse';
import { parseJson } from '../../shared/contract/json.ts';

/** The formats of a catalogue. */
export const formats = ['ndjson', 'csv'] as const;
export type Format = (typeof formats)[number];

/** The format that a file's name says it has. */
export const formatOf = (file: string): Format => (/\.csv$/i.test(file) ? 'csv' : 'ndjson');

/** A line of a catalogue that was not parsed yet: `fields` gives what it holds, or throws what is wrong with it. */
export interface RawRow {
  readonly line: number;
  /** Whether all values are text, numbers too, as in CSV. */
  readonly isText: boolean;
  readonly text: string;
  fields(): unknown;
}

/** How long a line may be, in UTF-16 code units: a pet is under 4 KiB, whatever else stands beside it. */
const maxLineLength = 2 ** 20;

/**
 * Reads the lines of a catalogue one at a time, counted from 1; empty ones are left out. `onHeader` is told of the columns
 * of CSV.
 *
 * @throws {CsvError} when a CSV file has a quote that is never closed, which takes the rest of the file with it
 */
export function readRawRows(
  input: Readable,
  format: Format,
  onHeader?: (columns: string[]) => void,
): AsyncIterable<RawRow> {
  return format === 'csv' ? readCsv(input, onHeader) : readNdjson(input);
}

async function* readNdjson(input: Readable): AsyncGenerator<RawRow> {
  let line = 0;
  for await (const read of readLines(input)) {
    line += 1;
    const text = line === 1 ? read?.replace(/^\uFEFF/, '') : read;
    if (text === undefined) yield { line, isText: false, text: '', fields: refuseLongLine };
    else if (text.trim() !== '') yield { line, isText: false, text, fields: () => parseJson(text) };
  }
}

function refuseLongLine(): never {
  throw new Error(
    `The line is longer than ${maxLineLength} characters: NDJSON has a JSON object a line, and no array of them.`,
  );
}

/**
 * Lines end in a line feed alone: readline would end them at a line separator too, which JSON allows in a string. A line
 * that is too long is undefined, and is not held.
 */
async function* readLines(input: Readable): AsyncGenerator<string | undefined> {
  let parts: string[] = [];
  let length = 0;
  const take = (part: string) => {
    length += part.length;
    if (length <= maxLineLength) parts.push(part);
    else parts = [];
  };
  const endLine = () => {
    const line = length <= maxLineLength ? parts.join('') : undefined;
    parts = [];
    length = 0;
    return line;
  };

  for await (const chunk of input.setEncoding('utf8')) {
    const [rest = '', ...starts] = String(chunk).split('\n');
    take(rest);
    for (const start of starts) {
      yield endLine();
      take(start);
    }
  }
  yield endLine();
}

interface CsvRecord {
  readonly record: Readonly<Record<string, string>>;
  readonly raw: string;
  readonly info: { readonly lines: number; readonly error?: CsvError };
}

async function* readCsv(input: Readable, onHeader?: (columns: string[]) => void): AsyncGenerator<RawRow> {
  const parser = parseCsv({
    bom: true,
    columns: (header: string[]) => {
      onHeader?.(header);
      return header;
    },
    info: true,
    max_record_size: maxLineLength,
    raw: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
  });
  input.on('error', (error) => parser.destroy(error)).pipe(parser);
  let extraLines = 0;
  for await (const { record, raw, info } of parser as AsyncIterable<CsvRecord>) {
    // The parser counts a CRLF in a field twice.
    extraLines += Object.values(record).join('').split('\r\n').length - 1;
    const text = raw.replace(/[\r\n]+$/, '');
    yield { line: info.lines - extraLines, isText: true, text, fields: () => csvFields(record, info.error) };
  }
}

/** What is empty is left out; a line with a comma too many is not guessed at. */
function csvFields(record: CsvRecord['record'], error: CsvError | undefined): unknown {
  if (error) throw error;
  return Object.fromEntries(Object.entries(record).filter(([, text]) => text !== ''));
}
