import { afterEach, beforeEach, type MockInstance, vi } from 'vitest';

/** Captures what the tests of a file log, instead of printing it. */
export function captureLog() {
  let errors: MockInstance<typeof console.error>;
  let infos: MockInstance<typeof console.info>;

  beforeEach(() => {
    errors = vi.spyOn(console, 'error').mockReturnValue();
    infos = vi.spyOn(console, 'info').mockReturnValue();
  });
  afterEach(() => {
    errors.mockRestore();
    infos.mockRestore();
  });

  return { errors: () => linesOf(errors), infos: () => linesOf(infos) };
}

/** Returns the lines as Lambda would write them, one JSON text each. */
const linesOf = ({ mock }: MockInstance<typeof console.error>) =>
  mock.calls.map(([logged]) => JSON.stringify(logged));
