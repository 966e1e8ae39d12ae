import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { warmUp } from '../../../shared/lambda/warm-up.ts';
import { captureErrorLog } from '../../support/functions/error-log.ts';

const log = captureErrorLog();

describe('warmUp', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('ends with the call, of which it logs a failure, and leaves no timer behind', async () => {
    await warmUp(async () => 'done');
    expect(log.lines()).toEqual([]);

    await warmUp(() => Promise.reject(new Error('connect ECONNREFUSED')));
    expect(log.lines()).toEqual([
      expect.stringMatching(/The call during init failed\..*connect ECONNREFUSED/),
    ]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('waits no longer than 300 ms for a call, and logs its failure after that too', async () => {
    const ended = vi.fn();
    const { promise, reject } = Promise.withResolvers<never>();
    const warmingUp = warmUp(() => promise).then(ended);

    await vi.advanceTimersByTimeAsync(299);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await warmingUp;
    reject(new Error('socket hang up'));

    await vi.waitFor(() => expect(log.lines()).toEqual([expect.stringContaining('socket hang up')]));
  });
});
