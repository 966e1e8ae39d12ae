import fc from 'fast-check';
import { expect, it } from 'vitest';
import { malformedAt } from '../../../shared/http/malformed-json.ts';

it.each([
  ['', 'line 1, column 1'],
  ['{', 'line 1, column 2'],
  ['{"name": Bella}', 'line 1, column 10'],
  ['{"name":"Bella" "categoryId":1}', 'line 1, column 17'],
  ['{"name":"Bella",}', 'line 1, column 17'],
  ['{\n  "name": "Bella",\r\n  categoryId: 1\n}', 'line 3, column 3'],
  ['{"name":"Bella}', 'line 1, column 9'],
  ['["tab\there"]', 'line 1, column 2'],
  ['["\\x"]', 'line 1, column 2'],
  ['[1,]', 'line 1, column 4'],
  ['[1}', 'line 1, column 3'],
  ['01', 'line 1, column 2'],
  ['1 2', 'line 1, column 3'],
  ["{'name':1}", 'line 1, column 2'],
  ['[nul]', 'line 1, column 2'],
])('malformedAt finds what is wrong in %j at %s', (json, place) => {
  expect(malformedAt(json)).toBe(place);
});

it('malformedAt finds the end of any JSON, whatever its spacing, when something follows', () => {
  const spacing = fc.constantFrom(0, 1, '\t', '\n');

  fc.assert(
    fc.property(fc.jsonValue(), spacing, (value, space) => {
      const lines = JSON.stringify(value, undefined, space).split('\n');
      const column = (lines.at(-1)?.length ?? 0) + 1;

      expect(malformedAt(`${lines.join('\n')}]`)).toBe(`line ${lines.length}, column ${column}`);
    }),
  );
});

it('malformedAt is as strict as JSON.parse', () => {
  const json = fc.string({ unit: fc.constantFrom(...'[]{}:,"\\ue1-.0+tn '), maxLength: 8 });

  fc.assert(
    fc.property(json, (text) => {
      fc.pre(!isWellFormed(text));

      const [, column] = /column (\d+)/.exec(malformedAt(text)) ?? [];
      const isWhole = Number(column) > text.length;

      // All of it may only be well-formed so far.
      if (isWhole) expect(() => JSON.parse(text)).toThrow(/end of JSON input|at position \d+ \(/);
    }),
    { numRuns: 2000 },
  );
});

function isWellFormed(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
