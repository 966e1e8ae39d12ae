import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { FieldMap } from '../../../bin/catalogue/field-map.ts';
import { type Format, readRawRows } from '../../../bin/catalogue/read-rows.ts';
import { type Row, toRow } from '../../../bin/catalogue/rows.ts';

/** The rows of a catalogue, which comes in as a file does: in bytes. */
async function readRows(
  text: string,
  format: Format,
  { map = new Map(), unescapesFormulas = false }: { map?: FieldMap; unescapesFormulas?: boolean } = {},
): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const raw of readRawRows(Readable.from([Buffer.from(text)]), format)) {
    rows.push(toRow(raw, { map, unescapesFormulas }));
  }
  return rows;
}

/** What is told of a row that is refused, but for the row itself. */
const refusalOf = (row: Row | undefined) => row && 'reason' in row && { line: row.line, reason: row.reason };

const bella = { name: 'Bella', categoryId: 1n, status: 'available' } as const;
const categoryIdMessage = 'categoryId must be an integer from -9223372036854775808 to 9223372036854775807.';
const statusMessage = 'status must be one of available, pending, sold.';
const map: FieldMap = new Map([
  ['title', 'name'],
  ['category_id', 'categoryId'],
  ['name', undefined],
]);

describe('a catalogue in NDJSON', () => {
  it('is read line by line, empty lines left out but counted', async () => {
    const text = '{"name":"Bella","categoryId":1}\n\n  \n{"status":"sold","categoryId":2,"name":"Milo"}';

    const rows = await readRows(text, 'ndjson');

    expect(rows).toStrictEqual([
      { line: 1, pet: bella },
      { line: 4, pet: { name: 'Milo', categoryId: 2n, status: 'sold' } },
    ]);
  });

  it('may have a byte order mark and lines that end in CRLF', async () => {
    const line = '{"name":"Bella","categoryId":1}\r\n';

    const rows = await readRows(`\uFEFF${line}${line}`, 'ndjson');

    expect(rows).toStrictEqual([
      { line: 1, pet: bella },
      { line: 2, pet: bella },
    ]);
  });

  it('has its fields renamed, or left out', async () => {
    const rows = await readRows('{"title":"Bella","category_id":1,"name":"None"}', 'ndjson', { map });

    expect(rows).toStrictEqual([{ line: 1, pet: bella }]);
  });

  it.each(['9223372036854775807', '-9223372036854775808', '9007199254740993'])(
    'keeps the categoryId %s exactly',
    async (categoryId) => {
      const rows = await readRows(`{"name":"Bella","categoryId":${categoryId}}`, 'ndjson');

      expect(rows).toStrictEqual([{ line: 1, pet: { ...bella, categoryId: BigInt(categoryId) } }]);
    },
  );

  // JSON allows them unescaped, and JSON.stringify writes them so.
  it.each(['\u2028', '\u2029', '\u0085'])('takes %j in a name for no end of a line', async (separator) => {
    const name = `Bella${separator}Bell`;

    const rows = await readRows(`{"name":"${name}","categoryId":1}`, 'ndjson');

    expect(rows).toStrictEqual([{ line: 1, pet: { ...bella, name } }]);
  });

  it.each([
    ['{"name":"Bella","categoryId":"1"}', categoryIdMessage],
    ['{"name":"Bella","categoryId":1.5}', categoryIdMessage],
    ['{"name":"Bella","categoryId":1,"status":""}', statusMessage],
    ['{"name":"Bella"}', 'categoryId is required.'],
    ['{}', 'name is required. categoryId is required.'],
    ['7', 'The body must be a JSON object.'],
    ['null', 'The body must be a JSON object.'],
    ['{"name":"Bella","categoryId":1', expect.stringMatching(/JSON/)],
  ])('refuses %s, and goes on', async (text, reason) => {
    const rows = await readRows(`${text}\n{"name":"Bella","categoryId":1}\n`, 'ndjson');

    expect(refusalOf(rows[0])).toStrictEqual({ line: 1, reason });
    expect(rows.slice(1)).toStrictEqual([{ line: 2, pet: bella }]);
  });
});

describe('a row that is refused', () => {
  it.each<[Format, string, object]>([
    [
      'ndjson',
      '{"title":"Bella","id":7,"category_id":1.5}',
      { fields: { name: 'Bella', id: 7n, categoryId: 1.5 } },
    ],
    ['ndjson', '["Bella"]', { text: '["Bella"]' }],
    ['ndjson', '{"name":', { text: '{"name":' }],
    ['csv', 'title,category_id,note\n,7,x', { fields: { categoryId: 7n, note: 'x' } }],
    ['csv', 'title,category_id\nBella,7,x\r\n', { text: 'Bella,7,x' }],
  ])('has its fields by their names in the API, or its text: %s %s', async (format, text, kept) => {
    const [row] = await readRows(text, format, { map });

    expect(row).toStrictEqual({ line: expect.any(Number), reason: expect.any(String), ...kept });
  });

  it('is one longer than a pet can be, however long', async () => {
    const piece = Buffer.from('{"name":"Bella","categoryId":1},'.repeat(2 ** 11));
    function* pieces() {
      for (let count = 0; count < 1000; count += 1) yield piece;
      yield Buffer.from('\n{"name":"Bella","categoryId":1}\n');
    }

    const rows = await Array.fromAsync(readRawRows(Readable.from(pieces()), 'ndjson'), (raw) =>
      toRow(raw, { map: new Map(), unescapesFormulas: false }),
    );

    expect(rows).toStrictEqual([
      { line: 1, reason: expect.stringMatching(/^The line is longer than 1048576 characters/), text: '' },
      { line: 2, pet: bella },
    ]);
  });
});

describe('a catalogue in CSV', () => {
  it('has the quotes of an export taken away from names where that is asked for', async () => {
    const text = "name,categoryId\n'=1+1,-1\n";

    const [escaped, unescaped] = [
      await readRows(text, 'csv'),
      await readRows(text, 'csv', { unescapesFormulas: true }),
    ];

    expect(escaped).toMatchObject([{ pet: { name: "'=1+1", categoryId: -1n } }]);
    expect(unescaped).toMatchObject([{ pet: { name: '=1+1', categoryId: -1n } }]);
  });

  it('is read by the names in its first line, empty lines left out but counted', async () => {
    const text = 'status,name,categoryId\nsold,Milo,2\n\n,Bella,1\n';

    const rows = await readRows(text, 'csv');

    expect(rows).toStrictEqual([
      { line: 2, pet: { name: 'Milo', categoryId: 2n, status: 'sold' } },
      { line: 4, pet: bella },
    ]);
  });

  it('may have a byte order mark and lines that end in CRLF', async () => {
    const rows = await readRows('\uFEFFname,categoryId\r\nBella,1\r\nBella,1\r\n', 'csv');

    expect(rows).toStrictEqual([
      { line: 2, pet: bella },
      { line: 3, pet: bella },
    ]);
  });

  it('has its columns renamed or left out, and others ignored', async () => {
    const rows = await readRows('id,title,category_id,name\n7,Bella,1,None\n', 'csv', { map });

    expect(rows).toStrictEqual([{ line: 2, pet: bella }]);
  });

  it.each([
    ['"Bella, ""the"" cat"', 'Bella, "the" cat'],
    ['Bella "the" cat', 'Bella "the" cat'],
    ['" Bella "', ' Bella '],
    [' Bella ', ' Bella '],
    ["'Bella'", "'Bella'"],
    ['#Bella', '#Bella'],
  ])('reads the name %s', async (field, name) => {
    const rows = await readRows(`name,categoryId\n${field},1\n`, 'csv');

    expect(rows).toStrictEqual([{ line: 2, pet: { ...bella, name } }]);
  });

  it.each([
    ['\n', '\n'],
    ['\n', '\r\n'],
    ['\r\n', '\r\n'],
  ])('is counted in lines with %j in a name and %j at the end of a line', async (inner, end) => {
    const lines = ['name,categoryId', `"Bella${inner}Bell",1`, 'Bella,1', ''];

    const rows = await readRows(lines.join(end), 'csv');

    expect(rows).toStrictEqual([
      { line: 3, pet: { ...bella, name: `Bella${inner}Bell` } },
      { line: 4, pet: bella },
    ]);
  });

  it.each(['9223372036854775807', '-9223372036854775808', '9007199254740993', '0'])(
    'keeps the categoryId %s exactly',
    async (categoryId) => {
      const rows = await readRows(`name,categoryId\nBella,${categoryId}\n`, 'csv');

      expect(rows).toStrictEqual([{ line: 2, pet: { ...bella, categoryId: BigInt(categoryId) } }]);
    },
  );

  it.each([
    ['Bella,9223372036854775808,', categoryIdMessage],
    ['Bella,99999999999999999999,', categoryIdMessage],
    ['Bella,1.5,', categoryIdMessage],
    ['Bella, 1,', categoryIdMessage],
    ['Bella,0x1,', categoryIdMessage],
    ['Bella,one,', categoryIdMessage],
    ['Bella,1,Sold', statusMessage],
    ['Bella,,', 'categoryId is required.'],
    [',1,sold', 'name is required.'],
    ['Bella,1', expect.stringMatching(/columns length is 3, got 2/)],
    ['Bella,1,sold,', expect.stringMatching(/columns length is 3, got 4/)],
  ])('refuses %s, and goes on', async (line, reason) => {
    const rows = await readRows(`name,categoryId,status\n${line}\nBella,1,\n`, 'csv');

    expect(refusalOf(rows[0])).toStrictEqual({ line: 2, reason });
    expect(rows.slice(1)).toStrictEqual([{ line: 3, pet: bella }]);
  });

  it('is no catalogue when a quote is never closed', async () => {
    const rows = readRows('name,categoryId\nBella,1\n"Milo,2\nNala,3\n', 'csv');

    await expect(rows).rejects.toThrow('Quote Not Closed');
  });
});

describe.each(['ndjson', 'csv'] as const)('an empty catalogue in %s', (format) => {
  it.each(['', '\n', '\r\n\r\n'])('has no rows: %j', async (text) => {
    expect(await readRows(text, format)).toStrictEqual([]);
  });
});
