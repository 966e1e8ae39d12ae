import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { Format } from '../../../bin/catalogue/read-rows.ts';
import { openSource, spool, statInput } from '../../../bin/catalogue/source.ts';
import { temporaryFile } from '../../support/catalogue/temporary-file.ts';

function open(content: string | Buffer, format: Format) {
  const file = temporaryFile('catalogue');
  writeFileSync(file, content);
  return openFile(file, format);
}

const { signal } = new AbortController();
const openFile = (file: string, format: Format) => openSource({ file, name: file, format, signal });

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
    const opened = openFile(temporaryFile('missing'), format);

    await expect(opened).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('a source that is changed while it is imported', () => {
  const lines = Array.from({ length: 10_000 }, (_, index) => `{"name":"Pet ${index}","categoryId":1}\n`);

  it.each<[title: string, content: string]>([
    ['is cut off', lines.slice(0, 100).join('')],
    ['has other rows', lines.toReversed().join('')],
    ['has more rows', [...lines, ...lines].join('')],
  ])('fails at its end when it %s', async (_title, content) => {
    const file = temporaryFile('catalogue');
    writeFileSync(file, lines.join(''));
    const source = await openFile(file, 'ndjson');
    writeFileSync(file, content);

    const read = Array.fromAsync(source.rows());

    await expect(read).rejects.toThrow(
      `${file} was changed while it was imported: compare what was created with it.`,
    );
  });
});

describe('the columns of a source', () => {
  it('are those of the header in CSV, though there is no row', async () => {
    expect((await open('name,note,name\n', 'csv')).columns).toStrictEqual(['name', 'note', 'name']);
  });

  it('are those that any line has in NDJSON', async () => {
    const source = await open(`${bella}nonsense\n[1]\n7\n{"Name":"Milo"}\n`, 'ndjson');

    expect(source.columns).toStrictEqual(['name', 'categoryId', 'Name']);
  });
});

describe('what can be read only once', () => {
  it('is kept byte for byte', async () => {
    const content = Buffer.concat([Buffer.from('name,cat'), Buffer.from([0xff, 0x00, 0x0a])]);
    const pipe = temporaryFile('pipe');
    execFileSync('mkfifo', [pipe]);

    const [file] = await Promise.all([spool(pipe, statSync(pipe), signal), writeFile(pipe, content)]);

    expect(readFileSync(file)).toStrictEqual(content);
  });

  it('is refused when nothing comes', async () => {
    const spooled = spool('/dev/null', statSync('/dev/null'), signal);

    await expect(spooled).rejects.toThrow('There is nothing in /dev/null.');
  });

  it('is not waited for any longer when that is interrupted', async () => {
    const pipe = temporaryFile('pipe');
    execFileSync('mkfifo', [pipe]);

    const spooled = spool(pipe, statSync(pipe), AbortSignal.timeout(20));

    await expect(spooled).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('a directory', () => {
  it('is no source', () => {
    expect(() => statInput('bin')).toThrow('bin is a directory: give a file.');
  });
});
