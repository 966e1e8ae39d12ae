import type { Readable } from 'node:stream';
import { type CsvError, parse as parseCsv } from 'csv-parse';
import { parseJson } from '../../shared/contract/json.ts';
import { parse } from '../../shared/contract/parse.ts';
import { NewPet } from '../../shared/contract/pet.ts';

/** The formats of a catalogue. */
export const formats = ['ndjson', 'csv'] as const;
export type Format = (typeof formats)[number];

/** A line of a catalogue that was not parsed yet: `fields` gives what it holds, or throws what is wrong with it. */
export interface RawRow {
  readonly line: number;
  /** Whether all values are text, numbers too, as in CSV. */
  readonly isText: boolean;
  fields(): unknown;
}

/** A line of a catalogue: a pet, or the reason why it is none. */
export type Row = { readonly line: number } & ({ readonly pet: NewPet } | { readonly reason: string });

/** What the API calls a field, by what the catalogue calls it. */
export type FieldNames = ReadonlyMap<string, string>;

/**
 * Reads the lines of a catalogue one at a time, counted from 1; empty ones are left out.
 *
 * @throws {CsvError} when a CSV file has a quote that is never closed, which takes the rest of the file with it
 */
export function readRawRows(input: Readable, format: Format): AsyncIterable<RawRow> {
  return format === 'csv' ? readCsv(input) : readNdjson(input);
}

/** Makes a row of a raw one, its fields renamed. */
export function toRow(raw: RawRow, names: FieldNames): Row {
  try {
    const fields = rename(raw.fields(), names);
    return { line: raw.line, pet: parse(NewPet, raw.isText ? withInteger(fields) : fields, 'invalid_body') };
  } catch (error) {
    return { line: raw.line, reason: error instanceof Error ? error.message : String(error) };
  }
}

async function* readNdjson(input: Readable): AsyncGenerator<RawRow> {
  let line = 0;
  for await (const text of readLines(input)) {
    line += 1;
    const json = line === 1 ? text.replace(/^\uFEFF/, '') : text;
    if (json.trim() !== '') yield { line, isText: false, fields: () => parseJson(json) };
  }
}

/** Lines end in a line feed alone: readline would end them at a line separator too, which JSON allows in a string. */
async function* readLines(input: Readable): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of input.setEncoding('utf8')) {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  yield rest;
}

const csvOptions = {
  bom: true,
  columns: true,
  info: true,
  relax_column_count: true,
  relax_quotes: true,
  skip_empty_lines: true,
} as const;

interface CsvRecord {
  readonly record: Readonly<Record<string, string>>;
  readonly info: { readonly lines: number; readonly error?: CsvError };
}

async function* readCsv(input: Readable): AsyncGenerator<RawRow> {
  const parser = parseCsv(csvOptions);
  input.on('error', (error) => parser.destroy(error)).pipe(parser);
  let extraLines = 0;
  for await (const { record, info } of parser as AsyncIterable<CsvRecord>) {
    // The parser counts a CRLF in a field twice.
    extraLines += Object.values(record).join('').split('\r\n').length - 1;
    yield { line: info.lines - extraLines, isText: true, fields: () => csvFields(record, info.error) };
  }
}

/** What is empty is left out; a line with a comma too many is not guessed at. */
function csvFields(record: CsvRecord['record'], error: CsvError | undefined): unknown {
  if (error) throw error;
  return Object.fromEntries(Object.entries(record).filter(([, text]) => text !== ''));
}

function withInteger(fields: unknown): unknown {
  if (typeof fields !== 'object' || fields === null || !('categoryId' in fields)) return fields;
  const { categoryId } = fields;
  const isInteger = typeof categoryId === 'string' && /^-?\d{1,19}$/.test(categoryId);
  return isInteger ? { ...fields, categoryId: BigInt(categoryId) } : fields;
}

function rename(fields: unknown, names: FieldNames): unknown {
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return fields;
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [names.get(name) ?? name, value]));
}
