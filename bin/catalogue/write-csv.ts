import { stringify } from 'csv-stringify/sync';
import { petColumns } from './columns.ts';

/**
 * Where a formula would begin in the middle of a cell, for a spreadsheet that separates cells by another
 * character: https://owasp.org/www-community/attacks/CSV_Injection
 */
const formulaStart = /(?<=[\t\n\r",;|])(?=[=+\-@＝＋－＠])/g;

/** Returns pets as CSV, after a line of column names if it is the first part of a file. */
export const csvOf = (pets: readonly object[], header: boolean, escapeFormulas: boolean): string =>
  stringify([...pets], {
    columns: petColumns,
    header,
    // Without a byte order mark, Excel takes the file for Windows-1252.
    bom: header,
    escape_formulas: escapeFormulas,
    // An import takes outer spaces for part of a cell only in quotes.
    quoted_match: /^\s|\s$/,
    cast: { string: (text) => (escapeFormulas ? text.replaceAll(formulaStart, "'") : text) },
  });
