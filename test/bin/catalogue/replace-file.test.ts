import {
  chmodSync,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { replaceFile } from '../../../bin/catalogue/replace-file.ts';
import { temporaryFile } from '../../support/e2e/temporary-file.ts';

async function* parts(...texts: readonly string[]): AsyncGenerator<string> {
  yield* texts;
}

async function* failing(): AsyncGenerator<string> {
  yield 'new';
  throw new Error('No second page.');
}

describe('replaceFile', () => {
  it('writes a new file', async () => {
    const file = temporaryFile('pets.csv');

    await replaceFile(file, parts('a', 'b'));

    expect(readFileSync(file, 'utf8')).toBe('ab');
    expect(readdirSync(dirname(file))).toStrictEqual(['pets.csv']);
  });

  it('keeps the earlier file, and no other, if the text fails midway', async () => {
    const file = temporaryFile('pets.csv');
    writeFileSync(file, 'old');

    await expect(replaceFile(file, failing())).rejects.toThrow('No second page.');

    expect(readFileSync(file, 'utf8')).toBe('old');
    expect(readdirSync(dirname(file))).toStrictEqual(['pets.csv']);
  });

  it.skipIf(process.platform === 'win32')('keeps the permissions of the earlier file', async () => {
    const file = temporaryFile('pets.csv');
    writeFileSync(file, 'old');
    chmodSync(file, 0o620);

    await replaceFile(file, parts('new'));

    expect(statSync(file).mode % 0o1000).toBe(0o620);
  });

  it.skipIf(process.platform === 'win32').each(['exists', 'does not exist'])(
    'keeps a symbolic link to a file that %s',
    async (title) => {
      const link = temporaryFile('link.csv');
      const file = join(dirname(link), 'pets.csv');
      if (title === 'exists') writeFileSync(file, 'old');
      symlinkSync('pets.csv', link);

      await replaceFile(link, parts('new'));

      expect(lstatSync(link).isSymbolicLink()).toBe(true);
      expect(readFileSync(file, 'utf8')).toBe('new');
    },
  );

  it.skipIf(process.platform === 'win32')('writes to a device', async () => {
    await replaceFile('/dev/null', parts('nothing'));
    expect(lstatSync('/dev/null').isCharacterDevice()).toBe(true);
  });
});
