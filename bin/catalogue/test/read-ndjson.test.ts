import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readNdjson } from '../read-ndjson.ts';

it('reads line by line, without empty lines', () => {
  const rows = readNdjson('{"name":"Bella","categoryId":1}\r\n\n  \r\n{"name":"a\u2028b"}');

  expect(rows).toStrictEqual([
    { line: 1, cells: Object.entries({ name: 'Bella', categoryId: 1n }) },
    { line: 4, cells: [['name', 'a\u2028b']] },
  ]);
});

const nested = '{"a":'.repeat(100_000);

it.each([
  ['null', 'The line must be a JSON object.'],
  ['["Bella"]', 'The line must be a JSON object.'],
  ['  name,categoryId', 'The line must be well-formed JSON: see column 3.'],
  ['{"name":"Bella",}', 'The line must be well-formed JSON: see column 17.'],
  ['{"name":"Bella"', 'The line must be well-formed JSON: see column 16.'],
  [nested, 'The line must be well-formed JSON, and not nested so deeply.'],
  ['{"name":"A","n":1,"name":"B"}', 'The line has name twice.'],
  ['{"n\\u0061me":"A" , "name" :{}}', 'The line has name twice.'],
])('keeps the text of a line that it cannot read, case %#', (text, reason) => {
  const rows = readNdjson(`{}\n${text}\r\n{}`);

  expect(rows).toStrictEqual([
    { line: 1, cells: [] },
    { line: 2, cells: [], unreadable: { reason, text } },
    { line: 3, cells: [] },
  ]);
});

it('finds no name twice where none is', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue()), (value) => {
      const text = JSON.stringify(value);

      expect(readNdjson(text)).toStrictEqual([
        { line: 1, cells: expect.objectContaining({ length: Object.keys(value).length }) },
      ]);
    }),
  );
});
