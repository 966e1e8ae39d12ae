import { CsvError, parse } from 'csv-parse/sync';
import { type ColumnOptions, isField } from './columns.ts';
import type { Row } from './row.ts';

type Cells = readonly string[];
type Renamed = ColumnOptions['map'];

/** Between cells: where the comma is the decimal separator, spreadsheets write semicolons. */
const separators = [',', ';', '\t', '|'];

/** A first line such as `sep=;`, by which a spreadsheet knows the separator. */
const separatorLine = /^"?sep=([^"\r\n])"?(?=[\r\n])/i;

const lineEnds = /\r\n|\n|\r/g;
const parserOptions = { record_delimiter: ['\r\n', '\n', '\r'], relax_column_count: true, trim: true };

const problems: Readonly<Record<string, string>> = {
  CSV_INVALID_CLOSING_QUOTE: 'text follows a closing quote',
  CSV_QUOTE_NOT_CLOSED: 'one is never closed',
  INVALID_OPENING_QUOTE: 'a cell contains one, and is not in quotes itself',
};

/** Returns the rows of CSV below its line of names. */
export function readCsv(text: string, map: Renamed): readonly Row[] {
  const [, named] = separatorLine.exec(text) ?? [];
  // An empty line is left, so that the others keep their numbers.
  const content = Buffer.from(named === undefined ? text : text.replace(separatorLine, ''));
  const delimiter = named ?? separatorOf(content, map);
  const rows: Row[] = [];
  let header: Cells | undefined;
  let line = 1;
  let start = 0;
  let lastLine = 0;
  try {
    parse(content, {
      ...parserOptions,
      delimiter,
      skip_empty_lines: true,
      on_record(cells: Cells, { bytes: end }) {
        const source = content.toString('utf8', start, end);
        const record = source.replace(/(?:\r\n|\n|\r)$/, '');
        start = end;
        // The parser would count a CRLF within a cell twice.
        lastLine = line + (record.match(lineEnds)?.length ?? 0);
        line = record === source ? lastLine : lastLine + 1;
        if (cells.every(isBlank)) return null;
        if (header === undefined) header = checkHeader(cells, map);
        else rows.push(toRow(lastLine, header, cells, record.replace(/^[\r\n]+/, '')));
        return null;
      },
    });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    // A quote that is missing in one row is noticed in a later one, or at the end of the file.
    const problem = problems[error.code] ?? error.message;
    throw new Error(`Correct a quote after line ${lastLine}: ${problem}.`, { cause: error });
  }
  return rows;
}

const isBlank = (cell: string) => cell.trim() === '';

/** Returns the separator by which the line of names has the most fields, or else the most cells. */
function separatorOf(content: Buffer, map: Renamed): string {
  const candidates = separators.map((delimiter) => {
    const names = readNames(content, delimiter);
    return { delimiter, cells: names.length, fields: names.filter((name) => isField(name, map)).length };
  });
  const [best] = candidates.toSorted((one, two) => two.fields - one.fields || two.cells - one.cells);
  return best?.delimiter ?? ',';
}

function readNames(content: Buffer, delimiter: string): Cells {
  try {
    const options = { ...parserOptions, delimiter, skip_records_with_empty_values: true, to: 1 };
    return parse(content, options)[0] ?? [];
  } catch (error) {
    // With this separator, the quotes are in the wrong places.
    if (error instanceof CsvError) return [];
    throw error;
  }
}

function checkHeader(names: Cells, map: Renamed): Cells {
  if (names.some((name) => isField(name, map))) return names;
  const [name = ''] = names;
  if (names.length > 1) {
    throw new Error(
      `The first line must name the columns, and none of these is a field of a pet: ${names.join(', ')}. If it names them, pass --map column=field; otherwise write a line of names before it.`,
    );
  }
  throw new Error(
    `The line of names has only one cell, ${name}: separate cells by a comma, a semicolon, a tab or |, or name another separator in a first line, sep=<separator>.`,
  );
}

function toRow(line: number, header: Cells, cells: Cells, text: string): Row {
  // Excel also writes columns without a name that were used once, but not in each row.
  const named = header.findLastIndex((name) => !isBlank(name)) + 1;
  if (cells.length < named || cells.length > header.length) {
    const reason = `Expected ${named} cells, found ${cells.length}.`;
    return { line, cells: [], unreadable: { reason, text } };
  }
  const filled = header
    .map((column, index) => [column, cells[index] || undefined] as const)
    .filter(([column, value]) => !isBlank(column) || value !== undefined);
  return { line, cells: filled };
}
