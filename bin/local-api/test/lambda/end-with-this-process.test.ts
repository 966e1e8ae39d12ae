import { fork } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, onTestFinished, vi } from 'vitest';
import { isRunning } from '../../../cli/test/support/is-running.ts';

it('functions that wait, loop or are stopped end with the local API, even if that is killed', async () => {
  const parent = fork('bin/local-api/test/support/invoking-process.ts');
  onTestFinished(() => void parent.kill('SIGKILL'));
  const [ids] = await once(parent, 'message');
  expect(ids.map(isRunning)).toEqual([true, true, true]);

  parent.kill('SIGKILL');

  const end = () => expect(ids.map(isRunning)).toEqual([false, false, false]);
  await vi.waitFor(end, { timeout: 20_000 });
});
