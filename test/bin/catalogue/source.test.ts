import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import type { Format } from '../../../bin/catalogue/read-rows.ts';
import { openSource, spool, statInput } from '../../../bin/catalogue/source.ts';
import { temporaryFile } from '../../support/catalogue/temporary-file.ts';

const { signal } = new AbortController();
const open = (file: string, format: Format) => openSource({ file, name: file, format, signal });

/** Writes a catalogue to a file. */
function fileOf(content: string | Buffer): string {
  const file = temporaryFile('catalogue');
  writeFileSync(file, content);
  return file;
}

describe('the source of a catalogue', () => {
  it.each<[title: string, format: Format, content: string, columns: string[], lines: number[]]>([
    [
      'NDJSON with the columns of any line',
      'ndjson',
      '{"name":"Bella","categoryId":1}\n\nnonsense\n[1]\n7\n{"Name":"Milo"}\n',
      ['name', 'categoryId', 'Name'],
      [1, 3, 4, 5, 6],
    ],
    [
      'CSV with line breaks in a field, and a letter with an accent at its end',
      'csv',
      'name,note,name\n1,"Bella\nBell",1\n\n2,3,Zoé',
      ['name', 'note', 'name'],
      [3, 5],
    ],
    ['CSV without rows', 'csv', 'name,note\n', ['name', 'note'], []],
  ])('tells what it is: %s', async (_title, format, content, columns, lines) => {
    const { rows, ...source } = await open(fileOf(content), format);

    const digest = createHash('sha256').update(content).digest('hex');
    expect(source).toStrictEqual({ digest, format, rowCount: lines.length, columns });
    expect(await Array.fromAsync(rows(), ({ line }) => line)).toStrictEqual(lines);
  });

  const notUtf8 = /catalogue is not in UTF-8: convert it first\.$/;

  it.each<[title: string, file: () => string, message: string | RegExp]>([
    ['a quote is never closed', () => fileOf('name,categoryId\nBella,1\n"Milo,2\n'), 'Quote Not Closed'],
    ['it is Latin-1', () => fileOf(Buffer.from('name,categoryId\nZoé,1\nMilo,2\n', 'latin1')), notUtf8],
    ['its last letter is Latin-1', () => fileOf(Buffer.from('categoryId,name\n1,Zoé', 'latin1')), notUtf8],
    ['there is no such file', () => temporaryFile('missing'), 'ENOENT'],
  ])('is refused before anything is done with it when %s', async (_title, file, message) => {
    await expect(open(file(), 'csv')).rejects.toThrow(message);
  });

  it('fails at its end when it was changed meanwhile', async () => {
    const lines = Array.from({ length: 10_000 }, (_, index) => `{"name":"${'Ż'.repeat(20)}${index}"}\n`);
    const file = fileOf(lines.join(''));
    const source = await open(file, 'ndjson');
    writeFileSync(file, lines.toReversed().join(''));

    await expect(Array.fromAsync(source.rows())).rejects.toThrow(
      `${file} was changed while it was imported: compare what was created with it.`,
    );
  });
});

describe('what can be read only once', () => {
  function makePipe(): string {
    const pipe = temporaryFile('pipe');
    execFileSync('mkfifo', [pipe]);
    return pipe;
  }

  it('is kept byte for byte', async () => {
    const content = Buffer.concat([Buffer.from('name,cat'), Buffer.from([0xff, 0x00, 0x0a])]);
    const pipe = makePipe();

    const [file] = await Promise.all([spool(pipe, statSync(pipe), signal), writeFile(pipe, content)]);

    expect(readFileSync(file)).toStrictEqual(content);
  });

  it('is refused when nothing comes, and is no directory', async () => {
    const nothing = statInput('/dev/null');

    await expect(spool('/dev/null', nothing, signal)).rejects.toThrow('There is nothing in /dev/null.');
    expect(() => statInput('bin')).toThrow('bin is a directory: give a file.');
  });

  it('is not waited for any longer when that is interrupted', async () => {
    const pipe = makePipe();

    const spooled = spool(pipe, statSync(pipe), AbortSignal.timeout(20));

    await expect(spooled).rejects.toMatchObject({ name: 'AbortError' });
  });
});
