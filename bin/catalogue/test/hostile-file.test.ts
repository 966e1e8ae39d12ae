import { it } from 'vitest';
import { expectLittleTime } from '../../../test/support/fuzz/hostile-text.ts';
import { readRows } from '../read-rows.ts';
import { csvOf } from '../write-csv.ts';

// A file may be longer, if it takes an hour to import.
const length = 64 * 1024;

it.each([
  ['csv', ['name\n|"', '|sep=', 'name\n"|""', '|\r', '|,', '|;']],
  ['ndjson', ['|{', '|[', '| ', '|\t', '|{"a"', '|\r\n']],
] as const)('reads a hostile file of %s in little time', (format, hostile) => {
  expectLittleTime((text) => readRows(Buffer.from(text), format, new Map()), length, hostile);
});

it('exports a hostile name in little time', () => {
  expectLittleTime((name) => csvOf([{ name }], false, true), length, ['|,', '|"=', '|\n=']);
});
