import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { Format } from '../../../bin/catalogue/rows.ts';
import { openSource, spool } from '../../../bin/catalogue/source.ts';
import { temporaryFile } from '../../support/catalogue/temporary-file.ts';

function open(content: string | Buffer, format: Format) {
  const file = temporaryFile('catalogue');
  writeFileSync(file, content);
  return openSource(file, format);
}

const bella = '{"name":"Bella","categoryId":1}\n';

describe('the source of a catalogue', () => {
  it('knows the digest of the content and how many rows there are', async () => {
    const content = `${bella}\nnonsense\n${bella}`;

    const { digest, rowCount } = await open(content, 'ndjson');

    expect(digest).toBe(createHash('sha256').update(content).digest('hex'));
    expect(rowCount).toBe(3);
  });

  it('does not count the header and the line breaks in the fields of CSV', async () => {
    const { rowCount } = await open('name,categoryId\n"Bella\nBell",1\n\nMilo,2\n', 'csv');

    expect(rowCount).toBe(2);
  });

  it('gives the rows again and again', async () => {
    const source = await open(bella, 'ndjson');

    const lines = [];
    for (const rows of [source.rows(), source.rows()]) {
      for await (const { line, fields } of rows) lines.push([line, fields()]);
    }

    const row = [1, { name: 'Bella', categoryId: 1n }];
    expect(lines).toStrictEqual([row, row]);
  });

  it('is refused before anything is done with it when a quote is never closed', async () => {
    const opened = open('name,categoryId\nBella,1\n"Milo,2\n', 'csv');

    await expect(opened).rejects.toThrow('Quote Not Closed');
  });

  it.each([
    ['in the middle', 'name,categoryId\nZoé,1\nMilo,2\n'],
    ['at its end', 'categoryId,name\n1,Zoé'],
  ])('is refused when it is Latin-1 with an accent %s', async (_title, text) => {
    const opened = open(Buffer.from(text, 'latin1'), 'csv');

    await expect(opened).rejects.toThrow(/catalogue is not in UTF-8: convert it first\.$/);
  });

  it('may end in a letter with an accent', async () => {
    const { rowCount } = await open('categoryId,name\n1,Zoé', 'csv');

    expect(rowCount).toBe(1);
  });

  it.each(['ndjson', 'csv'] as const)('is refused when there is no such file, in %s', async (format) => {
    const opened = openSource(temporaryFile('missing'), format);

    await expect(opened).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('what is piped in', () => {
  it('is kept byte for byte, to be read more than once', async () => {
    const chunks = [Buffer.from('name,cat'), Buffer.from([0xff, 0x00, 0x0a])];

    const file = await spool(Readable.from(chunks));

    expect(readFileSync(file)).toStrictEqual(Buffer.concat(chunks));
  });
});
