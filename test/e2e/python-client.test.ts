import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, it, vi } from 'vitest';
import { apiKey, baseUrl } from '../support/e2e/api-client.ts';

const run = promisify(execFile);

const python = process.platform === 'win32' ? 'python' : 'python3';
const hasPython = spawnSync(python, ['--version']).status === 0;

it.skipIf(!hasPython)(
  'the Python of docs/clients.md creates pets, and prints each with all digits',
  async () => {
    const [, program = ''] = /```python\n(.+?)```/s.exec(readFileSync('docs/clients.md', 'utf8')) ?? [];
    const run11 = program.replace('range(1000)', 'range(11)').replace('limit=100', 'limit=10');

    const env = { ...process.env, BASE_URL: baseUrl, API_KEY: apiKey };
    const names = Array.from({ length: 11 }, (_, number) => `Pet-${number}`);
    // A list can miss a new pet for about a second.
    await vi.waitFor(async () => {
      const { stdout } = await run(python, ['-c', run11], { env });
      const printed = stdout.match(/^\d+ Pet-\d+ 9223372036854775807$/gm)?.map((line) => line.split(' ')[1]);
      expect(printed?.toSorted()).toEqual(names.toSorted());
    }, 20_000);
  },
);
