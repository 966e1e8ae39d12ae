import { isUtf8 } from 'node:buffer';
import { CsvError, parse as parseCsv } from 'csv-parse/sync';
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

/** Returns the rows of a file's content. */
export function readRows(content: Buffer, format: Format): readonly Row[] {
  if (!isUtf8(content)) {
    throw new Error('The file is not in UTF-8: save it as UTF-8, in a spreadsheet as CSV UTF-8.');
  }
  // Skips a byte order mark.
  const text = new TextDecoder().decode(content);
  if (format === 'csv') return readCsv(text);
  return text.split('\n').flatMap((line, index) => (line.trim() === '' ? [] : parseLine(line, index + 1)));
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

function readCsv(text: string): readonly Row[] {
  const records: { line: number; cells: readonly string[] }[] = [];
  let extraLines = 0;
  try {
    parseCsv(text, {
      relax_column_count: true,
      skip_empty_lines: true,
      on_record(cells: readonly string[], { lines }) {
        // The parser counts a CRLF within a cell twice.
        for (const cell of cells) extraLines += cell.split('\r\n').length - 1;
        records.push({ line: lines - extraLines, cells });
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // A quote that is missing in one row is noticed in a later one, or at the end of the file.
    throw new Error(`Correct a quote after line ${records.at(-1)?.line ?? 0}. ${error.message}.`, {
      cause: error,
    });
  }
  const [header, ...rows] = records;
  return rows.map(({ line, cells }) => csvRow(line, header?.cells ?? [], cells));
}

function csvRow(line: number, header: readonly string[], cells: readonly string[]): Row {
  if (cells.length === header.length) {
    return { line, cells: header.map((column, index) => [column, cells[index] || undefined]) };
  }
  return { line, cells: [], reason: `Expected ${header.length} cells, found ${cells.length}.` };
}
