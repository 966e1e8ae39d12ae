import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

// It starts several processes, perhaps on a busy machine.
const timeout = 90_000;

/** Runs `npm run bench`, and returns the rows of its table that a pattern matches. */
async function rowsOf(args: readonly string[], pattern: RegExp, signal: AbortSignal) {
  const { stdout } = await promisify(execFile)(process.execPath, ['test/bench/bench.ts', ...args], {
    signal,
  });
  return Array.from(stdout.matchAll(pattern), (row) => row.slice(1));
}

it('measures both builds of a function beside an empty one', { timeout }, async ({ signal }) => {
  const args = ['--handler', 'get-pet', '--starts', '1', '--warm', '1'];

  expect(await rowsOf(args, /^║ (\S+) +│ (\w+) +│[ \d.│]+║$/gm, signal)).toEqual([
    ['empty', 'bare'],
    ['get-pet', 'deployed'],
    ['get-pet', 'conventional'],
  ]);
});

it('finds that a page costs the same in a larger table', { timeout }, async ({ signal }) => {
  const args = ['growth', '--pets', '320', '480'];
  const row = /^║ (\w+) +│ (\d+) +│ (\w+) +│ (\d+) +│ (\S+) +│ (\d+) +║$/gm;

  const rows = await rowsOf(args, row, signal);
  const costsOf = (pets: string) =>
    rows.filter((cells) => cells[3] === pets).map((cells) => cells.toSpliced(3, 1));

  expect(rows).toHaveLength(24);
  expect(costsOf('480')).toEqual(costsOf('320'));
  expect(costsOf('480')).toContainEqual(['available', '20', 'middle', '0.5', '21']);
});
