import { expect, it } from 'vitest';
import { type Format, formatOf, readRows } from '../read-rows.ts';

const read = (text: string, format: Format) => readRows(Buffer.from(text), format, new Map());

const array = "The file is a JSON array. Write each object on a line of its own, as jq -c '.[]' does.";
const object = 'The file has an object over several lines. Write each on one line, as jq -c . does.';
const ndjson = 'The file has JSON instead of CSV. If each line is an object, pass --format ndjson.';
const csv = 'No line of the file is a JSON object. If it is CSV, pass --format csv.';

it.each<[string, Format, string]>([
  ['[\n{"name":"Bella","categoryId":1},\n{"name":"Milo","categoryId":2}\n]\n', 'ndjson', array],
  ['[{"name":"Bella","categoryId":1},\n{"name":"Milo","categoryId":2}]', 'ndjson', array],
  ['\uFEFF\n [ {"name":"Bella","categoryId":1} ] ', 'ndjson', array],
  ['[{"name":"Bella","categoryId":1}]', 'csv', array],
  ['{\r\n  "name": "Bella",\r\n  "categoryId": 1\r\n}\r\n{\r\n}', 'ndjson', object],
  ['{\n  "name": "Bella",\n  "categoryId": 1\n}', 'csv', object],
  ['{"name":"Bella","categoryId":1}\n', 'csv', ndjson],
  ['name,categoryId\nBella,1', 'ndjson', csv],
])('recognizes %j, which is not %s', (text, format, message) => {
  expect(() => read(text, format)).toThrow(new Error(message));
});

it.each<[string, Format, number]>([
  ['["name","categoryId"]\n{"name":"Bella","categoryId":1}', 'ndjson', 2],
  ['null\n  {"name":"Bella","categoryId":1}', 'ndjson', 2],
  ['{"name":"Bella"', 'ndjson', 1],
  [' \n', 'ndjson', 0],
  ['[name],categoryId\nBella,1', 'csv', 1],
  ['{name},categoryId\nBella,1', 'csv', 1],
  ['', 'csv', 0],
])('reads %j as %s', (text, format, count) => {
  expect(read(text, format)).toHaveLength(count);
});

it('fails at Latin-1', () => {
  expect(() => readRows(Buffer.from('name\nZoé', 'latin1'), 'csv', new Map())).toThrow(
    'The file is not in UTF-8: save it as UTF-8, in a spreadsheet as CSV UTF-8.',
  );
});

it('formatOf rejects a file with another extension', () => {
  expect(formatOf('PETS.CSV')).toBe('csv');
  expect(() => formatOf('pets.txt')).toThrow('The format of pets.txt is unknown: pass --format.');
});
