import {
  existsSync,
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
  it('is there once it is complete, as a whole', () => {
    const path = temporaryFile('out');
    const file = new OutputFile(path, { force: false });

    file.write('Żółw ');
    file.write('🐢');
    expect(existsSync(path)).toBe(false);
    file.complete();

    expect(readFileSync(path, 'utf8')).toBe('Żółw 🐢');
    expect(readdirSync(dirname(path))).toStrictEqual(['out']);
  });

  it('is not made when nothing is written', () => {
    const path = temporaryFile('out');

    new OutputFile(path, { force: false }).complete();

    expect(readdirSync(dirname(path))).toStrictEqual([]);
  });

  it('takes the place of another one only by force, and only when it is complete', () => {
    const path = temporaryFile('out');
    writeFileSync(path, 'old');

    const forced = new OutputFile(path, { force: true });
    forced.write('new');

    expect(() => new OutputFile(path, { force: false })).toThrow(
      `${path} is there already: give another name, or --force to replace it.`,
    );
    expect(readFileSync(path, 'utf8')).toBe('old');
    forced.complete();
    expect(readFileSync(path, 'utf8')).toBe('new');
  });

  it('does not take the place of one that another process made meanwhile', () => {
    const path = temporaryFile('out');
    const file = new OutputFile(path, { force: false });
    file.write('new');
    writeFileSync(path, 'old');

    expect(() => file.complete()).toThrow('EEXIST');
    expect(readFileSync(path, 'utf8')).toBe('old');
  });

  it.each<[title: string, make: (path: string) => void]>([
    ['a directory', (path) => mkdirSync(path)],
    ['a link to a device', (path) => symlinkSync('/dev/null', path)],
    ['a link to nothing', (path) => symlinkSync('nowhere', path)],
  ])('is never %s', (_title, make) => {
    const path = temporaryFile('out');
    make(path);

    expect(() => new OutputFile(path, { force: true })).toThrow(
      `${path} is not a regular file: give another name.`,
    );
  });

  it.each<[title: string, link: (input: string, path: string) => void]>([
    ['a hard link', linkSync],
    ['a symbolic link', symlinkSync],
  ])('is never what is read, by %s either', (_title, link) => {
    const path = temporaryFile('out');
    const input = join(dirname(path), 'input');
    writeFileSync(input, 'precious');
    link(input, path);

    for (const name of [input, path]) {
      expect(() => new OutputFile(name, { force: true, input: statSync(input) })).toThrow(
        `${name} is what is read: give another name.`,
      );
    }
  });

  it('has to have a directory', () => {
    expect(() => new OutputFile(join(temporaryFile('missing'), 'out'), { force: true })).toThrow('ENOENT');
  });
});
