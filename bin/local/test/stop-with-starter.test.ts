import { expect, it, onTestFinished, vi } from 'vitest';
import { stopWithStarter } from '../stop-with-starter.ts';

// What npm or node-24.mjs started is tested in e2e/starters.slow.test.ts.

it('what a shell started outlives it', () => {
  for (const name of ['npm_lifecycle_event', 'NODE_24_WRAPPER']) vi.stubEnv(name, undefined);
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
    vi.unstubAllEnvs();
  });
  const end = vi.fn();
  stopWithStarter(end);

  using _adopted = vi.spyOn(process, 'ppid', 'get').mockReturnValue(1);
  vi.advanceTimersByTime(60_000);

  expect(end).not.toHaveBeenCalled();
});
