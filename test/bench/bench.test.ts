import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

// It starts a few processes, on a machine that may be busy.
const timeout = 90_000;

it('npm run bench measures both builds of a function beside the bare ones', { timeout }, async ({
  signal,
}) => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['test/bench/bench.ts', '--handler', 'get-pet', '--starts', '1', '--warm', '1'],
    { signal },
  );

  const measured = [...stdout.matchAll(/^║ (\S+) +│ (\w+) +│[ \d.│]+║$/gm)].map((row) => row.slice(1));
  expect(measured).toEqual([
    ['empty', 'bare'],
    ['one-call', 'bare'],
    ['get-pet', 'deployed'],
    ['get-pet', 'conventional'],
  ]);
});
