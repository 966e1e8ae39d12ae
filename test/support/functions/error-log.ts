import { afterEach, beforeEach, type MockInstance, vi } from 'vitest';

/** Keeps what the tests of a file log off the terminal, and gives it line by line. */
export function captureErrorLog(): { lines(): readonly string[] } {
  let log: MockInstance<typeof console.error>;

  beforeEach(() => {
    log = vi.spyOn(console, 'error').mockReturnValue();
  });
  afterEach(() => {
    log.mockRestore();
  });

  return { lines: () => log.mock.calls.map(([logged]) => JSON.stringify(logged)) };
}
