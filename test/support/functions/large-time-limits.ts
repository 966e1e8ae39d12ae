import type { timeLimits } from '../../../shared/lambda/time-limits.ts';

export type TimeLimits = Readonly<Record<keyof typeof timeLimits, number>>;

/** For tests that are not about them: a busy machine may exceed those of the service. */
export const largeTimeLimits: TimeLimits = {
  // The SDK would not look for a longer one at first.
  silence: 5999,
  call: 60_000,
  // After it, a function goes on.
  warmUp: 300,
  response: 500,
  function: 60_000,
};
