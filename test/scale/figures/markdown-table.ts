/** Returns a table in Markdown, with numbers to the right. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const alignment = head.map((_, column) => (column === 0 ? '---' : '--:'));
  return [line(head), `|${alignment.join('|')}|`, ...rows.map(line)].join('\n');
}
