import { parseJson } from '../../shared/contract/json.ts';
import { wellFormedStart } from '../../shared/http/malformed-at.ts';
import type { Row } from './row.ts';

/** Returns the rows of NDJSON: one for each line that is not empty. */
export const readNdjson = (text: string): readonly Row[] =>
  text.split('\n').flatMap((line, index) => (line.trim() === '' ? [] : parseLine(line.trimEnd(), index + 1)));

function parseLine(text: string, line: number): Row {
  const unreadable = (reason: string) => ({ line, cells: [], unreadable: { reason, text } });
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    return unreadable(problemOf(text));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return unreadable('The line must be a JSON object.');
  }
  const cells = Object.entries(value);
  const names = memberNames(text);
  if (names.length === cells.length) return { line, cells };
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  return unreadable(`The line has ${repeated} twice.`);
}

function problemOf(text: string): string {
  try {
    return `The line must be well-formed JSON: see column ${wellFormedStart(text).length + 1}.`;
  } catch {
    return 'The line must be well-formed JSON, and not nested so deeply.';
  }
}

/** Returns the names of the members of a JSON object, with those that `JSON.parse` drops because another follows. */
function memberNames(json: string): string[] {
  const names: string[] = [];
  let depth = 0;
  let opened: number | undefined;
  let string = '';
  for (let index = 0; index < json.length; index += 1) {
    const character = json[index] ?? '';
    if (character === '\\') index += 1;
    else if (character === '"') {
      if (opened === undefined) opened = index;
      else {
        string = json.slice(opened, index + 1);
        opened = undefined;
      }
    } else if (opened !== undefined) continue;
    else if ('[{'.includes(character)) depth += 1;
    else if (']}'.includes(character)) depth -= 1;
    else if (character === ':' && depth === 1) names.push(JSON.parse(string));
  }
  return names;
}
