import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { pipeline } from 'node:stream';
import { type Options, parse as parseCsv } from 'csv-parse';
import { parseJson } from '../../shared/contract/json.ts';

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

async function* readCsv(chunks: AsyncIterable<string>): AsyncGenerator<Row> {
  let header: readonly string[] | undefined;
  let extraLines = 0;
  const options = { relax_quotes: true, skip_empty_lines: true };
  for await (const { record, raw, info } of recordsOf(chunks, options)) {
    // The parser counts a CRLF within a cell twice.
    for (const cell of record) extraLines += cell.split('\r\n').length - 1;
    const line = info.lines - extraLines;
    // The parser takes the quotes of such a cell as part of its text.
    const rest = record.some((cell) => cell.startsWith('"')) ? fromMisquotedCell(raw) : undefined;
    if (rest !== undefined) {
      const firstLine = line - rest.trimEnd().split(lineBreak).length + 1;
      const reason = `${misquoted} This cell begins in line ${firstLine}.`;
      if (header === undefined) throw new Error(reason);
      yield { line, cells: [], reason };
    } else if (header === undefined) header = record;
    else if (record.length === header.length) {
      yield { line, cells: header.map((column, index) => [column, record[index] || undefined]) };
    } else {
      yield { line, cells: [], reason: `Expected ${header.length} cells, found ${record.length}.` };
    }
  }
}

const lineBreak = /\r\n|\r|\n/;

const misquoted =
  'A cell that begins with a quote must end with the next one, and a quote within its text is written twice.';

/** Returns a CSV record from the first cell on that has text after its closing quote, if there is one. */
function fromMisquotedCell(record: string): string | undefined {
  const cell = /"[^"]*(?:""[^"]*)*"|[^,\r\n]*/y;
  const end = /[,\r\n]|$/y;
  for (let at = 0; at < record.length; at = end.lastIndex) {
    cell.lastIndex = at;
    cell.test(record);
    end.lastIndex = cell.lastIndex;
    if (!end.test(record)) return record.slice(at);
  }
  return undefined;
}
