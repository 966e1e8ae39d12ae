import { writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type Format, type Row, readCatalogue } from '../../../bin/catalogue/read-rows.ts';
import { temporaryFile } from '../../support/e2e/temporary-file.ts';

const { signal } = new AbortController();

function read(content: string | Buffer, format: Format): Promise<Row[]> {
  const file = temporaryFile('catalogue');
  writeFileSync(file, content);
  return Array.fromAsync(readCatalogue(file, format, signal).rows);
}

it('reads NDJSON line by line, without empty lines', async () => {
  const rows = await read('\uFEFF{"name":"Bella","categoryId":1}\r\n\n  \r\n{"name":"a\u2028b"}', 'ndjson');

  expect(rows).toStrictEqual([
    { line: 1, cells: Object.entries({ name: 'Bella', categoryId: 1n }) },
    { line: 4, cells: [['name', 'a\u2028b']] },
  ]);
});

it.each(['null', '["Bella"]'])('rejects %s in NDJSON', async (text) => {
  const [row] = await read(`\n${text}`, 'ndjson');

  expect(row).toStrictEqual({ line: 2, cells: [], reason: 'The line must be a JSON object.' });
});

it('reads CSV, counting the lines within cells', async () => {
  const lines = ['\uFEFFname,n', 'Milo "the" cat,1', '', '"a\nb",', '"c\r\nd",1', 'e,1'];

  const rows = await read(lines.join('\r\n'), 'csv');

  expect(rows).toStrictEqual([
    { line: 2, cells: Object.entries({ name: 'Milo "the" cat', n: '1' }) },
    { line: 5, cells: Object.entries({ name: 'a\nb', n: undefined }) },
    { line: 7, cells: Object.entries({ name: 'c\r\nd', n: '1' }) },
    { line: 8, cells: Object.entries({ name: 'e', n: '1' }) },
  ]);
});

it('rejects CSV rows with the wrong number of cells', async () => {
  const [short, long] = await read('name,status\nBella\nBella,sold,\n', 'csv');

  expect(short).toStrictEqual({ line: 2, cells: [], reason: 'Expected 2 cells, found 1.' });
  expect(long).toStrictEqual({ line: 3, cells: [], reason: 'Expected 2 cells, found 3.' });
});

it.each<[title: string, content: string | Buffer, format: Format, message: string | RegExp]>([
  ['a line of more than 1 MiB', `{}\n${'['.repeat(2 ** 21)}`, 'ndjson', /^Max Record Size: .+ at line 2$/],
  ['a quote that is never closed', 'name\n"Milo\n', 'csv', 'Quote Not Closed'],
  ['a record of more than 1 MiB', `name\n"${'\n'.repeat(2 ** 21)}`, 'csv', 'Max Record Size'],
  ['Latin-1', Buffer.from('name\nZoé\n', 'latin1'), 'csv', 'not valid for encoding utf-8'],
  ['a final Latin-1 character', Buffer.from('name\nZoé', 'latin1'), 'csv', 'not valid for encoding utf-8'],
])('fails at %s', async (_title, content, format, message) => {
  await expect(read(content, format)).rejects.toThrow(message);
});

it('reads regular files only', () => {
  expect(() => readCatalogue('bin', 'csv', signal)).toThrow('bin is not a regular file.');
});
