import { afterEach, beforeEach, vi } from 'vitest';

const levels = ['error', 'warn', 'info'] as const;

/** Captures what the tests of a file log, instead of printing it. Each test's mocks are restored after it. */
export function captureLog() {
  beforeEach(() => {
    for (const level of levels) vi.spyOn(console, level).mockReturnValue();
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });
  return {
    errors: () => linesOf('error'),
    /** Forgets what was logged so far. */
    clear: () => vi.clearAllMocks(),
    warnings: () => linesOf('warn'),
    infos: () => linesOf('info'),
  };
}

/** Returns the lines as Lambda would write them, one JSON text each. */
const linesOf = (level: (typeof levels)[number]) =>
  vi.mocked(console[level]).mock.calls.map(([logged]) => JSON.stringify(logged));
