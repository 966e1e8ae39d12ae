import { expect, it, vi } from 'vitest';
import { importRow, keyPrefixOf, type RowImport } from '../import-row.ts';
import { type Format, readRows } from '../read-rows.ts';

/** Returns what an import sends: each key without the prefix that it shares with the others, and the pet. */
async function importFile(text: string, format: Format, renamed: Readonly<Record<string, string>>) {
  const content = Buffer.from(text);
  const map = new Map(Object.entries(renamed));
  const keyPrefix = keyPrefixOf(content, format, map);
  const create = vi.fn<RowImport['create']>(async () => 'created');
  for (const row of readRows(content, format, map)) {
    await importRow(row, { create, keyPrefix, map });
  }
  const sent = create.mock.calls.map(([pet, key]) => [key.replace(`${keyPrefix}-`, ''), pet]);
  return { keyPrefix, sent };
}

// Recorded: with other keys, the rest of an interrupted import would create its first pets again.
it.each<[string, string, Format, Readonly<Record<string, string>>, string, unknown]>([
  [
    'CSV with every status',
    'name,categoryId,status\nBella,1,available\nMilo,2,pending\nOtto,3,sold\n\nLuna,4,\n',
    'csv',
    {},
    '1240a8c5e2cd2817e60390402a0430833068260c15f919ead2e025f304cba4d0',
    [
      ['2', { name: 'Bella', categoryId: 1n, status: 'available' }],
      ['3', { name: 'Milo', categoryId: 2n, status: 'pending' }],
      ['4', { name: 'Otto', categoryId: 3n, status: 'sold' }],
      ['6', { name: 'Luna', categoryId: 4n }],
    ],
  ],
  [
    'CSV with CRLF',
    '\uFEFFname,categoryId\r\n"a\r\nb",1\r\n\r\n"c\nd",2\r\n"e\rf",3\r\n"the ""cat""",4',
    'csv',
    {},
    'cf38f324b2235eeb2703b628013ca5b94951a00687d22d4a9bf0ccef9aa3b257',
    [
      ['3', { name: 'a\r\nb', categoryId: 1n }],
      ['6', { name: 'c\nd', categoryId: 2n }],
      ['8', { name: 'e\rf', categoryId: 3n }],
      ['9', { name: 'the "cat"', categoryId: 4n }],
    ],
  ],
  [
    'CSV with LF around other line ends in quotes',
    'categoryId,name\n1,"a\r\nb\r\n"\n2,"c\nd"\n3,"e\rf"\n4,Zoë\n',
    'csv',
    {},
    '33804d330cf33be6c10f19a792ff7c086b8ea1a80618f16b8cef793cdf5eef1b',
    [
      ['4', { name: 'a\r\nb\r\n', categoryId: 1n }],
      ['6', { name: 'c\nd', categoryId: 2n }],
      ['8', { name: 'e\rf', categoryId: 3n }],
      ['9', { name: 'Zoë', categoryId: 4n }],
    ],
  ],
  [
    'CSV with CR',
    'name,categoryId\rBella,1\r"a\rb",2\r"c\r\nd",3\r"e\nf",4\r',
    'csv',
    {},
    '7cf5ab58768164412a013c0b54286efd50cacc33d5ba5d8934612d89e8307fa8',
    [
      ['2', { name: 'Bella', categoryId: 1n }],
      ['4', { name: 'a\rb', categoryId: 2n }],
      ['6', { name: 'c\r\nd', categoryId: 3n }],
      ['8', { name: 'e\nf', categoryId: 4n }],
    ],
  ],
  [
    'CSV with renamed columns that have other separators',
    '"the\r\ntitle",[category],note;internal\tx\r\nBella,1,"a;b"\r\nMilo,2,c\r\n',
    'csv',
    { 'the\r\ntitle': 'name', '[category]': 'categoryId' },
    '0c38c09c29384868fbeeb093e5a6bc29bdefa9826a9b9e16338868b2af9991d0',
    [
      ['3', { name: 'Bella', categoryId: 1n }],
      ['4', { name: 'Milo', categoryId: 2n }],
    ],
  ],
  [
    'an export',
    'id,name,categoryId,status\n5,\'=1+1,1,available\n6,"a, b",-5,sold\n',
    'csv',
    {},
    '3cf9f975bd4b6665328a569a3bef279ccaadedebd145dce83ff8a944f420451a',
    [
      ['2', { name: "'=1+1", categoryId: 1n, status: 'available' }],
      ['3', { name: 'a, b', categoryId: -5n, status: 'sold' }],
    ],
  ],
  [
    'CSV with rejected rows',
    'name,categoryId,status\nBella,1,lost\nMilo,2\n,,\nOtto,3,sold\n',
    'csv',
    {},
    'add26e361455bae4bff6034bb3d5d16730f68891543c9225d11b8f9f746df27e',
    [['5', { name: 'Otto', categoryId: 3n, status: 'sold' }]],
  ],
  [
    'NDJSON with LF',
    '{"name":"Bella","categoryId":1,"status":"available"}\n\n{"name":"Milo","categoryId":9223372036854775807,"status":"pending"}\n  \n{"categoryId":3,"name":"a\u2028b","status":"sold"}\n{"name":"Luna","categoryId":"4"}',
    'ndjson',
    {},
    'ecc3122c5258bfcca554b78ec4b64b6c6567f4183669d29c9df5ae78e10a9e66',
    [
      ['1', { name: 'Bella', categoryId: 1n, status: 'available' }],
      ['3', { name: 'Milo', categoryId: 9223372036854775807n, status: 'pending' }],
      ['5', { name: 'a\u2028b', categoryId: 3n, status: 'sold' }],
      ['6', { name: 'Luna', categoryId: 4n }],
    ],
  ],
  [
    'NDJSON with CRLF',
    '\uFEFF{"name":"Bella","categoryId":1}\r\n\r\n{"id":7,"name":"Milo","categoryId":2}\r\r\n{"name":"Otto","categoryId":3,"rejected":{"line":3,"reason":"x"}}\r\n',
    'ndjson',
    {},
    'b635392e203d53ff42c32973cfdf8ce08e810ad83c3ac694702a3809fb45b0b5',
    [
      ['1', { name: 'Bella', categoryId: 1n }],
      ['3', { name: 'Milo', categoryId: 2n }],
      ['4', { name: 'Otto', categoryId: 3n }],
    ],
  ],
])('%s keeps its keys', async (_title, text, format, renamed, keyPrefix, sent) => {
  expect(await importFile(text, format, renamed)).toStrictEqual({ keyPrefix, sent });
});
