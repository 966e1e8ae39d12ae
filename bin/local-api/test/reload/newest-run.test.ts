import { setTimeout as pause } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { newestRun } from '../../reload/newest-run.ts';

/** Asks for a run every 10 ms until something is so. */
async function askUntil(ask: () => void, isSo: () => boolean): Promise<void> {
  while (!isSo()) {
    ask();
    await pause(10);
  }
}

it('a run that is slow gets done, although another is asked for all the time', async () => {
  let done = 0;
  const ask = newestRun(async (signal) => {
    await pause(300, undefined, { signal }).catch(() => undefined);
    if (!signal.aborted) done += 1;
  }, 20);

  await askUntil(ask, () => done === 2);
});

it('a run that hangs is ended for the next one, but not before it has had its time', async () => {
  const run = vi.fn<(signal: AbortSignal) => Promise<void>>();
  run.mockImplementationOnce(
    (signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
  );
  const ask = newestRun(run, 100);
  const startedAt = performance.now();

  ask();
  ask();

  await vi.waitFor(() => expect(run).toHaveBeenCalledTimes(2), { timeout: 20_000 });
  expect(performance.now() - startedAt).toBeGreaterThan(95);
});

it('a run that was asked for several times meanwhile follows once', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const run = vi.fn(() => promise);
  const ask = newestRun(run, 60_000);

  for (let asked = 0; asked < 3; asked += 1) ask();
  resolve();

  await vi.waitFor(() => expect(run).toHaveBeenCalledTimes(2));
  await pause(20);
  expect(run).toHaveBeenCalledTimes(2);
});
