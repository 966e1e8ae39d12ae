import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

it('measures both builds of a function beside an empty one', { timeout: 90_000 }, async ({ signal }) => {
  const args = ['test/bench/bench.ts', '--handler', 'get-pet', '--starts', '1', '--warm', '1'];

  const { stdout } = await promisify(execFile)(process.execPath, args, { signal });

  const rows = stdout.matchAll(/^║ (\S+) +│ (\w+) +│[ \d.│]+║$/gm);
  expect(Array.from(rows, (row) => row.slice(1))).toEqual([
    ['empty', 'bare'],
    ['get-pet', 'deployed'],
    ['get-pet', 'conventional'],
  ]);
});
