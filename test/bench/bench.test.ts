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

it('measures both builds of a function next to the bare ones', { timeout }, async ({ signal }) => {
  const args = ['--handler', 'get-pet', '--starts', '1', '--warm', '1'];

  expect(await rowsOf(args, /^║ (\S+) +│ (\w+) +│[ \d.│]+║$/gm, signal)).toEqual([
    ['empty', 'bare'],
    ['one-call', 'bare'],
    ['get-pet', 'deployed'],
    ['get-pet', 'conventional'],
  ]);
});

it('finds that a page costs the same in a larger table', { timeout }, async ({ signal }) => {
  const args = ['growth', '--pets', '320', '480'];
  const row = /^║ (\w+) +│ (\d+) +│ (\w+) +│ (\d+) +│ (\S+) +│ (\d+) +║$/gm;

  const pagesOf = (pets: string, status: string, limit: number, readUnits: string) => {
    const page = (name: string, itemsRead: number) => [
      status,
      `${limit}`,
      name,
      pets,
      readUnits,
      `${itemsRead}`,
    ];
    return [page('first', limit + 1), page('middle', limit + 1), page('last', limit)];
  };
  expect(await rowsOf(args, row, signal)).toEqual(
    ['320', '480'].flatMap((pets) => [
      ...pagesOf(pets, 'any', 20, '0.5'),
      ...pagesOf(pets, 'any', 100, '1.5'),
      ...pagesOf(pets, 'available', 20, '0.5'),
      ...pagesOf(pets, 'available', 100, '1.5'),
    ]),
  );
});
