import { describe, expect, it, vi } from 'vitest';
import { environmentVariable, warmUp } from '../../../shared/lambda/init.ts';
import { captureLog } from '../../support/functions/capture-log.ts';

it.each([undefined, ''])('environmentVariable rejects a variable that is %j', (value) => {
  vi.stubEnv('COLOUR', value);

  expect(() => environmentVariable('COLOUR')).toThrow(
    new Error('The environment variable COLOUR is not set.'),
  );
});

const log = captureLog();

vi.useFakeTimers();

describe('warmUp', () => {
  it('logs a failed call as a warning', async () => {
    await warmUp(() => Promise.reject(new Error('connect ECONNREFUSED')));

    expect(log.warnings()).toEqual([expect.stringContaining('connect ECONNREFUSED')]);
    expect(log.errors()).toEqual([]);
  });

  it('waits at most 300 ms for a call, but logs a later failure', async () => {
    const ended = vi.fn();
    const { promise, reject } = Promise.withResolvers<never>();
    const warmingUp = warmUp(() => promise).then(ended);

    await vi.advanceTimersByTimeAsync(299);
    expect(ended).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    await warmingUp;
    reject(new Error('socket hang up'));

    const warned = () => expect(log.warnings()).toEqual([expect.stringContaining('socket hang up')]);
    await vi.waitFor(warned, { timeout: 20_000 });
  });
});
