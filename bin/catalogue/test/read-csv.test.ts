import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRows } from '../read-rows.ts';

const read = (text: string, renamed: Readonly<Record<string, string>> = {}) =>
  readRows(Buffer.from(text), 'csv', new Map(Object.entries(renamed)));

/** Returns the cells of each row, without the names of the columns. */
const cellsOf = (text: string, renamed?: Readonly<Record<string, string>>) =>
  read(text, renamed).map(({ line, cells }) => [line, ...cells.map(([, value]) => value)]);

describe('lines', () => {
  it('counts the lines within cells', () => {
    const lines = ['\uFEFFname,n', '"Milo ""the"" cat",1', '', '"a\nb",', '"c\r\nd",1', '"e\rf",1', 'g,1'];

    const rows = read(lines.join('\r\n'));

    expect(rows).toStrictEqual([
      { line: 2, cells: Object.entries({ name: 'Milo "the" cat', n: '1' }) },
      { line: 5, cells: Object.entries({ name: 'a\nb', n: undefined }) },
      { line: 7, cells: Object.entries({ name: 'c\r\nd', n: '1' }) },
      { line: 9, cells: Object.entries({ name: 'e\rf', n: '1' }) },
      { line: 10, cells: Object.entries({ name: 'g', n: '1' }) },
    ]);
  });

  it.each([
    ['\n', '\r\n'],
    ['\n', '\r'],
    ['\r\n', '\n'],
    ['\r\n', '\r'],
    ['\r', '\n'],
    ['\r', '\r\n'],
  ])('ends at %j in the line of names, at %j in others', (first, other) => {
    const text = `categoryId,name${first}1,Anna${other}2,"Bo"${other}${other}3,"C\r\nd"${first}4,Eve`;

    expect(cellsOf(text)).toStrictEqual([
      [2, '1', 'Anna'],
      [3, '2', 'Bo'],
      [6, '3', 'C\r\nd'],
      [7, '4', 'Eve'],
    ]);
  });

  it('ends anywhere outside quotes, whatever the cells contain', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'é', ' ', '"', ',', ';', '\r', '\n'), minLength: 1 });
    const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
    const written = (value: string) => `"${value.replaceAll('"', '""')}",1`;

    fc.assert(
      fc.property(fc.array(fc.tuple(cell, lineEnd)), lineEnd, (rows, headerEnd) => {
        let line = 1;
        const expected = rows.map(([value]) => {
          line += value.split(/\r\n|\r|\n/).length;
          return [line, value, '1'];
        });
        const text = rows.map(([value, end]) => `${written(value)}${end}`).join('');

        expect(cellsOf(`name,categoryId${headerEnd}${text}`)).toStrictEqual(expected);
      }),
    );
  });
});

describe('the separator', () => {
  it.each([
    ['name;categoryId;status\n1,5;2;sold\n', [2, '1,5', '2', 'sold']],
    ['name\tcategoryId\r\na;b,c\t2', [2, 'a;b,c', '2']],
    ['name|categoryId\na|2', [2, 'a', '2']],
    ['"name";"of, internal";"categoryId"\n"a;b";c;2', [2, 'a;b', 'c', '2']],
    ['sep=;\r\nname;categoryId\r\na;2', [3, 'a', '2']],
    ['\uFEFF"sep=:"\nname:categoryId\na:2', [3, 'a', '2']],
    ['SEP=\t\nname\tcategoryId\na,b\t2', [3, 'a,b', '2']],
    // Most cells are not decisive.
    ['name,categoryId,a;b;c;d\nx;y,2,z', [2, 'x;y', '2', 'z']],
    ['name;categoryId;a,b,c,d\nx;2;z', [2, 'x', '2', 'z']],
    ['title;categoryId\na;2', [2, 'a', '2']],
  ])('of %j is recognized', (text, row) => {
    expect(cellsOf(text)).toStrictEqual([row]);
  });

  it('is recognized by columns that are renamed', () => {
    const text = 'a;b;c;title,category\nx,1';

    expect(cellsOf(text, { 'a;b;c;title': 'name', category: 'categoryId' })).toStrictEqual([[2, 'x', '1']]);
  });

  it('that is unknown is asked for', () => {
    expect(() => read('name:categoryId\na:1')).toThrow(
      'The line of names has only one cell, name:categoryId: separate cells by a comma, a semicolon, a tab or |, or name another separator in a first line, sep=<separator>.',
    );
  });
});

describe('outer spaces', () => {
  it.each([
    ['categoryId, name\n12, Bella', [2, '12', 'Bella']],
    ['"name", "categoryId"\n"Bella", "12"', [2, 'Bella', '12']],
    ['name ;categoryId\n" Bella " ; 12 ', [2, ' Bella ', '12']],
    [
      'name\tcategoryId\tstatus\nBella\t12\t\n\t12\tsold',
      [2, 'Bella', '12', undefined],
      [3, undefined, '12', 'sold'],
    ],
  ])('are part of a cell only in quotes: %j', (text, ...rows) => {
    expect(cellsOf(text)).toStrictEqual(rows);
  });
});

it.each([
  ['Bella,1\nMilo,2', 'Bella, 1'],
  ['title;category\na;2', 'title, category'],
])('asks for the names of the columns: %j', (text, names) => {
  expect(() => read(text)).toThrow(
    `The first line must name the columns, and none of these is a field of a pet: ${names}. If it names them, pass --map column=field; otherwise write a line of names before it.`,
  );
});

describe('what Excel adds', () => {
  it('is ignored: columns without a name or a cell', () => {
    expect(read('name,,categoryId,,\nBella,,1,,\nMilo,,2')).toStrictEqual([
      { line: 2, cells: Object.entries({ name: 'Bella', categoryId: '1' }) },
      { line: 3, cells: Object.entries({ name: 'Milo', categoryId: '2' }) },
    ]);
  });

  it('is ignored: rows of empty cells', () => {
    expect(cellsOf(',,\nname,categoryId\n,\n"",""\n,,,,\nBella,1\n ,')).toStrictEqual([[6, 'Bella', '1']]);
  });

  it('is read if a column without a name has a cell', () => {
    expect(read(',name,categoryId\n0,Bella,1')[0]?.cells).toStrictEqual([
      ['', '0'],
      ['name', 'Bella'],
      ['categoryId', '1'],
    ]);
  });
});

it.each([
  ['name,categoryId\n\nBella\r\nMilo,1', 3, 'Expected 2 cells, found 1.', 'Bella'],
  ['name,categoryId\nBella, the cat,1\r\nMilo,1', 2, 'Expected 2 cells, found 3.', 'Bella, the cat,1'],
  ['name,,categoryId\nBella', 2, 'Expected 3 cells, found 1.', 'Bella'],
  ['name;categoryId;\n"a\r\n""b""";2;;3\n', 3, 'Expected 2 cells, found 4.', '"a\r\n""b""";2;;3'],
])('keeps the text of a row with the wrong number of cells: %j', (text, line, reason, kept) => {
  expect(read(text)[0]).toStrictEqual({ line, cells: [], unreadable: { reason, text: kept } });
});

it.each([
  ['text follows a closing quote', 'name,n\nMilo,1\n"Otto,2\n"Bella",3\n', 2],
  ['one is never closed', 'name,n\r\n"Mi\r\nlo",1\r\n"Otto,2\r\nBella,3\r\n', 3],
  ['text follows a closing quote', '"name"x,n\nMilo,1', 0],
  ['a cell contains one, and is not in quotes itself', 'name,n\nthe "cat" Milo,1', 1],
])('fails where %s', (problem, text, line) => {
  expect(() => read(text)).toThrow(new Error(`Correct a quote after line ${line}: ${problem}.`));
});
