import { afterEach, beforeEach, vi } from 'vitest';

/** Captures what the tests of a file log, instead of printing it. Each test's mocks are restored after it. */
export function captureLog() {
  beforeEach(() => {
    vi.spyOn(console, 'error').mockReturnValue();
    vi.spyOn(console, 'info').mockReturnValue();
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });
  return { errors: () => linesOf('error'), infos: () => linesOf('info') };
}

/** Returns the lines as Lambda would write them, one JSON text each. */
const linesOf = (level: 'error' | 'info') =>
  vi.mocked(console[level]).mock.calls.map(([logged]) => JSON.stringify(logged));
