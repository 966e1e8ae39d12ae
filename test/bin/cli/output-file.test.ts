import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OutputFile } from '../../../bin/cli/output-file.ts';
import { temporaryFile } from '../../support/catalogue/temporary-file.ts';

describe('a file that a command makes', () => {
  it('is there once it is complete, as a whole, and takes the place of another one only by force', () => {
    const path = temporaryFile('out');
    const file = new OutputFile(path, { force: false });

    file.write('Żółw ');
    file.write('🐢');
    expect(() => readFileSync(path)).toThrow('ENOENT');
    file.complete();
    expect(readFileSync(path, 'utf8')).toBe('Żółw 🐢');

    expect(() => new OutputFile(path, { force: false })).toThrow(
      `${path} is there already: give another name, or --force to replace it.`,
    );
    const forced = new OutputFile(path, { force: true });
    forced.write('new');
    expect(readFileSync(path, 'utf8')).toBe('Żółw 🐢');
    forced.complete();
    expect(readFileSync(path, 'utf8')).toBe('new');
    expect(readdirSync(dirname(path))).toStrictEqual(['out']);
  });

  it('does not take the place of one that another process made meanwhile', () => {
    const path = temporaryFile('out');
    const file = new OutputFile(path, { force: false });
    file.write('new');
    writeFileSync(path, 'old');

    expect(() => file.complete()).toThrow('EEXIST');
    expect(readFileSync(path, 'utf8')).toBe('old');
  });

  const notRegular = 'is not a regular file: give another name.';
  const isRead = 'is what is read: give another name.';

  it.each<[title: string, make: (path: string, input: string) => void, message: string]>([
    ['a directory', (path) => mkdirSync(path), notRegular],
    ['a link to a device', (path) => symlinkSync('/dev/null', path), notRegular],
    ['a link to nothing', (path) => symlinkSync('nowhere', path), notRegular],
    ['a hard link to what is read', (path, input) => linkSync(input, path), isRead],
    ['a symbolic link to what is read', (path, input) => symlinkSync(input, path), isRead],
  ])('is never %s', (_title, make, message) => {
    const path = temporaryFile('out');
    const input = join(dirname(path), 'input');
    writeFileSync(input, 'precious');
    make(path, input);

    const options = { force: true, input: statSync(input) };
    expect(() => new OutputFile(path, options)).toThrow(`${path} ${message}`);
  });

  it('is not made when nothing is written, and has to have a directory', () => {
    const path = temporaryFile('out');

    new OutputFile(path, { force: false }).complete();

    expect(readdirSync(dirname(path))).toStrictEqual([]);
    expect(() => new OutputFile(join(path, 'out'), { force: true })).toThrow('ENOENT');
  });
});
