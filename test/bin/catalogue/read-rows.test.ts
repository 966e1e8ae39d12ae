import { writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
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

describe('a CSV cell with text after its closing quote', () => {
  const reasonOf = (line: number) =>
    `A cell that begins with a quote must end with the next one, and a quote within its text is written twice. This cell begins in line ${line}.`;

  it.each(['\n', '\r\n'])('rejects the rows that it joins, after %j', async (end) => {
    const lines = ['name,id,status,note', '"x,1,sold', '"y",2,,', '', '"z",3,,'];

    const rows = await read(lines.join(end), 'csv');

    expect(rows).toStrictEqual([
      { line: 3, cells: [], reason: reasonOf(2) },
      { line: 5, cells: Object.entries({ name: 'z', id: '3', status: undefined, note: undefined }) },
    ]);
  });

  it.each(['"Milo" ,1', '1,"Milo "the" cat"', 'the "cat","Milo" 1', '"""Milo"" "s,1', '"" Milo,1'])(
    'rejects the row %s',
    async (row) => {
      const rows = await read(`name,n\n\n${row}\n`, 'csv');

      expect(rows).toStrictEqual([{ line: 3, cells: [], reason: reasonOf(3) }]);
    },
  );

  it('fails the import in the line of the names', async () => {
    await expect(read('"name" ,n\nMilo,1', 'csv')).rejects.toThrow(reasonOf(1));
  });

  it.each([
    ['"""Milo"" the cat",1', '"Milo" the cat'],
    ['"""\n""",1', '"\n"'],
    ['the "cat" Milo,1', 'the "cat" Milo'],
  ])('is not found in %j', async (row, name) => {
    const [first] = await read(`name,n\n${row}\n`, 'csv');

    expect(first?.cells).toStrictEqual(Object.entries({ name, n: '1' }));
  });
});

it.each<[title: string, content: string | Buffer, format: Format, message: string | RegExp]>([
  ['a line of more than 1 MiB', `{}\n${'['.repeat(2 ** 21)}`, 'ndjson', /^Max Record Size: .+ at line 2$/],
  [
    'a quote that is never closed',
    'name,n\nMilo,1\n"Otto,2\nBella,3\n',
    'csv',
    'The row after line 2 has a quote that is never closed.',
  ],
  ['a quote that is never closed in the first row', '"name', 'csv', 'The first row has a quote'],
  [
    'a row of more than 1 MiB',
    `name\n"${'\n'.repeat(2 ** 21)}`,
    'csv',
    'The row after line 1 is longer than 1 MiB, perhaps because a quote in it is never closed.',
  ],
  ['Latin-1', Buffer.from('name\nZoé\n', 'latin1'), 'csv', 'not valid for encoding utf-8'],
  ['a final Latin-1 character', Buffer.from('name\nZoé', 'latin1'), 'csv', 'not valid for encoding utf-8'],
])('fails at %s', async (_title, content, format, message) => {
  await expect(read(content, format)).rejects.toThrow(message);
});

it('reads regular files only', () => {
  expect(() => readCatalogue('bin', 'csv', signal)).toThrow('bin is not a regular file.');
});
