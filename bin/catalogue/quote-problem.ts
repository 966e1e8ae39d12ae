const lineBreak = /\r\n|\r|\n/;

/**
 * Returns what is wrong with a CSV record in which text follows the closing quote of a cell, as after a missing
 * quote, which can join several rows. The parser takes the quotes of such a cell as part of its text.
 *
 * @param cells - the record as parsed
 * @param raw - its text in the file
 * @param line - the line in which it ends
 */
export function quoteProblem(cells: readonly string[], raw: string, line: number): string | undefined {
  const rest = cells.some((cell) => cell.startsWith('"')) ? fromMisquotedCell(raw) : undefined;
  if (rest === undefined) return undefined;
  const firstLine = line - rest.trimEnd().split(lineBreak).length + 1;
  return `A cell that begins with a quote must end with the next one, and a quote within its text is written twice. This cell begins in line ${firstLine}.`;
}

/** Returns a record from the first cell on that has text after its closing quote, if there is one. */
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
