/** Spreadsheets take a cell that begins so for a formula (https://owasp.org/www-community/attacks/CSV_Injection). */
const formula = /^'*[=+\-@\t\n\r\uFF0B\uFF0D\uFF1D\uFF20]/;

/** Puts a quote in front of what a spreadsheet would take for a formula, and of what looks as if it had one already. */
export function escapeFormula(text: string): string {
  return formula.test(text) ? `'${text}` : text;
}

/** Undoes `escapeFormula`. */
export function unescapeFormula(text: string): string {
  return text.startsWith("'") && formula.test(text) ? text.slice(1) : text;
}
