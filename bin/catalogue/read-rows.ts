import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { pipeline } from 'node:stream';
import { CsvError, type Options, parse as parseCsv } from 'csv-parse';
import { parseJson } from '../../shared/contract/json.ts';
import { quoteProblem } from './quote-problem.ts';

export const formats = ['csv', 'ndjson'] as const;
export type Format = (typeof formats)[number];

/** Returns the format that a file's name ends in. */
export function formatOf(file: string): Format {
  const format = formats.find((name) => file.toLowerCase().endsWith(`.${name}`));
  if (format) return format;
  throw new Error(`The format of ${file} is unknown: pass --format.`);
}

/** A row of a catalogue, or the reason why it cannot be read. In CSV, values are text or undefined. */
export interface Row {
  readonly line: number;
  readonly cells: readonly (readonly [column: string, value: unknown])[];
  readonly reason?: string;
}

/** The maximum length of a line, in UTF-16 code units: a pet takes less than 4 KiB. */
const maxLineLength = 2 ** 20;

/** Reads a file: its rows and, once they are read, the digest of its content. */
export function readCatalogue(file: string, format: Format, signal: AbortSignal) {
  if (!statSync(file).isFile()) throw new Error(`${file} is not a regular file.`);
  const hash = createHash('sha256');
  async function* text(): AsyncGenerator<string> {
    // TextDecoder skips a byte order mark.
    const decoder = new TextDecoder('utf-8', { fatal: true });
    for await (const chunk of createReadStream(file, { signal })) {
      hash.update(chunk);
      yield decoder.decode(chunk, { stream: true });
    }
    yield decoder.decode();
  }
  const rows = format === 'csv' ? readCsv(text()) : readNdjson(text());
  return { rows, digest: () => hash.copy().digest('hex') };
}

/** Returns the records of a text that is parsed as CSV with these options. */
function recordsOf(
  chunks: AsyncIterable<string>,
  options: Options,
): AsyncIterable<{ record: string[]; raw: string; info: { lines: number } }> {
  const common = { relax_column_count: true, info: true, raw: true, max_record_size: maxLineLength };
  // The parser passes failures to its reader.
  return pipeline(chunks, parseCsv({ ...common, ...options }), () => undefined);
}

/** NDJSON is CSV with one cell per line: JSON cannot have the delimiter, and only LF ends a line. */
async function* readNdjson(chunks: AsyncIterable<string>): AsyncGenerator<Row> {
  let line = 0;
  for await (const { record } of recordsOf(chunks, {
    delimiter: '\0',
    quote: null,
    record_delimiter: '\n',
  })) {
    line += 1;
    const text = record.join('\0');
    if (text.trim() !== '') yield parseLine(text, line);
  }
}

function parseLine(text: string, line: number): Row {
  try {
    const value = parseJson(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (isObject) return { line, cells: Object.entries(value) };
    return { line, cells: [], reason: 'The line must be a JSON object.' };
  } catch (error) {
    return { line, cells: [], reason: String(error) };
  }
}

/** What is wrong with a row that the parser cannot end. The parser names only the line in which it gives up. */
const endless: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'has a quote that is never closed',
  CSV_MAX_RECORD_SIZE: 'is longer than 1 MiB, perhaps because a quote in it is never closed',
};

/** Names the row that the parser cannot end, if that is the error. */
function withPlace(error: unknown, lastLine: number): unknown {
  const problem = error instanceof CsvError ? endless[error.code] : undefined;
  if (problem === undefined) return error;
  const row = lastLine === 0 ? 'The first row' : `The row after line ${lastLine}`;
  return new Error(`${row} ${problem}.`, { cause: error });
}

async function* readCsv(chunks: AsyncIterable<string>): AsyncGenerator<Row> {
  let header: readonly string[] | undefined;
  let extraLines = 0;
  let line = 0;
  const options = { relax_quotes: true, skip_empty_lines: true };
  try {
    for await (const { record, raw, info } of recordsOf(chunks, options)) {
      // The parser counts a CRLF within a cell twice.
      for (const cell of record) extraLines += cell.split('\r\n').length - 1;
      line = info.lines - extraLines;
      const reason = quoteProblem(record, raw, line);
      if (header) yield csvRow(line, header, record, reason);
      else if (reason) throw new Error(reason);
      else header = record;
    }
  } catch (error) {
    throw withPlace(error, line);
  }
}

function csvRow(line: number, header: readonly string[], record: readonly string[], reason?: string): Row {
  if (reason) return { line, cells: [], reason };
  if (record.length === header.length) {
    return { line, cells: header.map((column, index) => [column, record[index] || undefined]) };
  }
  return { line, cells: [], reason: `Expected ${header.length} cells, found ${record.length}.` };
}
