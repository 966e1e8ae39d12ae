import { expect, it } from 'vitest';
import { type Format, formatOf, readRows } from '../../../bin/catalogue/read-rows.ts';

const read = (text: string, format: Format) => readRows(Buffer.from(text), format);

it('reads NDJSON line by line, without empty lines', () => {
  const rows = read('\uFEFF{"name":"Bella","categoryId":1}\r\n\n  \r\n{"name":"a\u2028b"}', 'ndjson');

  expect(rows).toStrictEqual([
    { line: 1, cells: Object.entries({ name: 'Bella', categoryId: 1n }) },
    { line: 4, cells: [['name', 'a\u2028b']] },
  ]);
});

it.each(['null', '["Bella"]'])('rejects %s in NDJSON', (text) => {
  const [row] = read(`\n${text}`, 'ndjson');

  expect(row).toStrictEqual({ line: 2, cells: [], reason: 'The line must be a JSON object.' });
});

it('reads CSV, counting the lines within cells', () => {
  const lines = ['\uFEFFname,n', '"Milo ""the"" cat",1', '', '"a\nb",', '"c\r\nd",1', 'e,1'];

  const rows = read(lines.join('\r\n'), 'csv');

  expect(rows).toStrictEqual([
    { line: 2, cells: Object.entries({ name: 'Milo "the" cat', n: '1' }) },
    { line: 5, cells: Object.entries({ name: 'a\nb', n: undefined }) },
    { line: 7, cells: Object.entries({ name: 'c\r\nd', n: '1' }) },
    { line: 8, cells: Object.entries({ name: 'e', n: '1' }) },
  ]);
});

it('rejects CSV rows with the wrong number of cells', () => {
  const [short, long] = read('name,status\nBella\nBella,sold,\n', 'csv');

  expect(short).toStrictEqual({ line: 2, cells: [], reason: 'Expected 2 cells, found 1.' });
  expect(long).toStrictEqual({ line: 3, cells: [], reason: 'Expected 2 cells, found 3.' });
});

it.each([
  ['a missing quote', 'name,n\nMilo,1\n"Otto,2\n"Bella",3\n', 2, 'Invalid Closing Quote: got "B" at line 4'],
  ['a quote that is never closed', 'name,n\nMilo,1\n"Otto,2\nBella,3\n', 2, 'Quote Not Closed: '],
  [
    'a missing quote in the line of names',
    '"name" ,n\nMilo,1',
    0,
    'Invalid Closing Quote: got " " at line 1',
  ],
  ['a quote within a cell', 'name,n\nthe "cat" Milo,1', 1, 'Invalid Opening Quote: '],
])('fails in CSV at %s', (_title, text, line, message) => {
  expect(() => read(text, 'csv')).toThrow(`Correct a quote after line ${line}. ${message}`);
});

it('fails at Latin-1', () => {
  expect(() => readRows(Buffer.from('name\nZoé', 'latin1'), 'csv')).toThrow(
    'The file is not in UTF-8: save it as UTF-8, in a spreadsheet as CSV UTF-8.',
  );
});

it('formatOf rejects a file with another extension', () => {
  expect(formatOf('PETS.CSV')).toBe('csv');
  expect(() => formatOf('pets.txt')).toThrow('The format of pets.txt is unknown: pass --format.');
});
