import { fork } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, onTestFinished, vi } from 'vitest';

/** Starts a process whose function is in an endless loop, stopped, or waits for its next request. */
async function startParent(state: 'loops' | 'is stopped' | 'waits') {
  const parent = fork('test/support/infra/invoking-process.ts', [state]);
  onTestFinished(() => void parent.kill('SIGKILL'));
  const [childId] = await once(parent, 'message');
  return { parent, childId };
}

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}

const states =
  process.platform === 'win32' ? (['loops', 'waits'] as const) : (['loops', 'is stopped', 'waits'] as const);

it.each(states)(
  "a function that %s ends with the local API's process, even if that is killed",
  async (state) => {
    const { parent, childId } = await startParent(state);
    expect(isRunning(childId)).toBe(true);

    parent.kill('SIGKILL');

    await vi.waitFor(() => expect(isRunning(childId)).toBe(false), { timeout: 20_000 });
  },
);
