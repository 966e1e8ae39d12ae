/**
 * Returns where JSON stops being well-formed, such as `line 1, column 2`. The messages of `JSON.parse` give no
 * position for most mistakes, and quote the JSON.
 */
export function malformedAt(json: string): string {
  let wellFormed = 0;
  let malformed = json.length + 1;
  while (malformed - wellFormed > 1) {
    const middle = Math.floor((wellFormed + malformed) / 2);
    if (isStart(json.slice(0, middle))) wellFormed = middle;
    else malformed = middle;
  }
  const lines = json.slice(0, wellFormed).split('\n');
  return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}

/** Returns whether a text could be the start of JSON: then, `JSON.parse` fails only at its end. */
function isStart(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch (error) {
    const message = `${error}`;
    const [, position] = / at position (\d+) \(line \d+ column \d+\)$/.exec(message) ?? [];
    return position === `${text.length}` || message.endsWith('Unexpected end of JSON input');
  }
}
