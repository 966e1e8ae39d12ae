import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { FieldMap } from '../../../bin/catalogue/field-map.ts';
import { type Format, readRawRows } from '../../../bin/catalogue/read-rows.ts';
import { type Row, toRow } from '../../../bin/catalogue/rows.ts';

const map: FieldMap = new Map([
  ['title', 'name'],
  ['category_id', 'categoryId'],
  ['name', undefined],
]);

/** The rows of a catalogue, which comes in as a file does: in pieces of bytes. */
function readRows(text: string, format: Format): Promise<Row[]> {
  const pieces = (text.match(/.{1,65536}/gs) ?? []).map((piece) => Buffer.from(piece));
  return Array.fromAsync(readRawRows(Readable.from(pieces), format), (raw) =>
    toRow(raw, { map, unescapesFormulas: false }),
  );
}

const bella = { name: 'Bella', categoryId: 1n, status: 'available' } as const;
const bellaLine = '{"title":"Bella","category_id":1,"name":"None"}';
const categoryIdMessage = 'categoryId must be an integer from -9223372036854775808 to 9223372036854775807.';
const bodyMessage = 'The body must be a JSON object.';

describe('a catalogue in NDJSON', () => {
  it('is read line by line, empty lines left out but counted, with a byte order mark and CRLF', async () => {
    const milo = '{"status":"sold","category_id":2,"title":"Milo","id":7}';

    expect(await readRows(`\uFEFF${bellaLine}\r\n\n  \r\n${milo}`, 'ndjson')).toStrictEqual([
      { line: 1, pet: bella },
      { line: 4, pet: { name: 'Milo', categoryId: 2n, status: 'sold' } },
    ]);
  });

  it.each<[text: string, refused: object]>([
    [
      '{"title":"Bella","name":"None","id":7,"category_id":"1"}',
      { reason: categoryIdMessage, fields: { name: 'Bella', id: 7n, categoryId: '1' } },
    ],
    ['null', { reason: bodyMessage, text: 'null' }],
    ['["Bella"]', { reason: bodyMessage, text: '["Bella"]' }],
    ['{"name":', { reason: expect.stringMatching(/JSON/), text: '{"name":' }],
  ])('has %s refused, its fields or its text kept, and goes on', async (text, refused) => {
    const rows = await readRows(`${text}\n${bellaLine}\n`, 'ndjson');

    expect(rows).toStrictEqual([
      { line: 1, ...refused },
      { line: 2, pet: bella },
    ]);
  });

  it('has a line refused that is longer than a pet can be, however long', async () => {
    const long = bellaLine.repeat(2 ** 16);

    expect(await readRows(`${long}\n${bellaLine}\n`, 'ndjson')).toStrictEqual([
      { line: 1, reason: expect.stringMatching(/^The line is longer than 1048576 characters/), text: '' },
      { line: 2, pet: bella },
    ]);
  });
});

describe('a catalogue in CSV', () => {
  it('is read by the names in its first line, and counted in lines, those in a name too', async () => {
    const lines = [
      '\uFEFFtitle,status,id,category_id,name',
      'Milo "the" cat,sold,7,-2,None',
      '',
      '"Bella\nBell",,8,1,None',
      '"Bella\r\nBell",,9,1,None',
      'Bella,,10,1,None',
    ];

    expect(await readRows(lines.join('\r\n'), 'csv')).toStrictEqual([
      { line: 2, pet: { name: 'Milo "the" cat', categoryId: -2n, status: 'sold' } },
      { line: 5, pet: { ...bella, name: 'Bella\nBell' } },
      { line: 7, pet: { ...bella, name: 'Bella\r\nBell' } },
      { line: 8, pet: bella },
    ]);
  });

  const wrongColumns = (count: number) => expect.stringMatching(`columns length is 4, got ${count}`);

  it.each<[line: string, refused: object]>([
    ...['9223372036854775808', '1.5', ' 1', '0x1'].map((categoryId): [string, object] => [
      `Bella,${categoryId},,`,
      { reason: categoryIdMessage, fields: { name: 'Bella', categoryId: expect.anything() } },
    ]),
    [',7,,x', { reason: 'name is required.', fields: { categoryId: 7n, note: 'x' } }],
    ['Bella,1,sold', { reason: wrongColumns(3), text: 'Bella,1,sold' }],
    ['Bella,1,sold,,', { reason: wrongColumns(5), text: 'Bella,1,sold,,' }],
  ])('has %s refused, its fields or its text kept, and goes on', async (line, refused) => {
    const rows = await readRows(`title,category_id,status,note\r\n${line}\r\nBella,1,,\r\n`, 'csv');

    expect(rows).toStrictEqual([
      { line: 2, ...refused },
      { line: 3, pet: bella },
    ]);
  });
});
