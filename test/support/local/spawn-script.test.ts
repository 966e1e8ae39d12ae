import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { temporaryFile } from '../e2e/temporary-file.ts';
import { isRunning } from './is-running.ts';

it('what a test starts ends when the process of the test is killed', async () => {
  const endless = temporaryFile('endless.mjs');
  writeFileSync(endless, 'console.log(process.pid); setInterval(() => {}, 60_000);');
  const spawnScript = JSON.stringify(new URL('spawn-script.ts', import.meta.url).href);
  const source = `const { spawnScript } = await import(${spawnScript});
spawnScript(${JSON.stringify(endless)}, []).stdout.pipe(process.stdout);`;
  const test = spawn(process.execPath, ['--input-type=module', '--eval', source], { stdio: 'pipe' });
  const [printed] = await once(test.stdout, 'data');
  const pid = Number(printed);
  expect(isRunning(pid)).toBe(true);

  test.kill('SIGKILL');

  await vi.waitFor(() => expect(isRunning(pid)).toBe(false), 10_000);
});
