import type * as v from 'valibot';
import { timeLimits } from '../../shared/lambda/time-limits.ts';
import { number, record, whole } from './setting-schemas.ts';

/**
 * The alarm that pages needs a budget that can burn 14.4 times as fast as it may. At 0.01%, a stage with fewer
 * than 10,000 requests in 30 days has no error to spend.
 */
const budget = number({ min: 0.0001, max: 0.05 });

/** What a stage promises over 30 days. Alarms, a release's limits and the reference page follow. */
export const Objectives = record({
  /** The share of requests that may get a 5xx: 0.001 is an availability of 99.9%. */
  errorBudget: budget,
  /** The share of requests that may be slow. */
  slowBudget: budget,
  /** A slower response is slow. */
  slowAfterMilliseconds: whole({ min: 1, max: timeLimits.function, unit: ' ms' }),
});
export type Objectives = v.InferOutput<typeof Objectives>;

/** The objectives of the stages. */
export const objectives: Objectives = {
  errorBudget: 0.001,
  slowBudget: 0.01,
  slowAfterMilliseconds: 1000,
};
