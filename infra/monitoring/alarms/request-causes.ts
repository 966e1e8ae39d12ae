import { Duration } from 'aws-cdk-lib';
import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import { operations } from '../../../shared/contract/operations.ts';
import type { Indicator, Indicators } from '../indicators/indicators.ts';
import type { Cause } from './causes.ts';

const period = Duration.minutes(5);

/** Returns the alarms on the outcome of requests, by name. */
export function requestCauses(indicators: Indicators): Record<string, Cause> {
  const share = (counted: Indicator, atLeast: number) => indicators.share(counted, { atLeast, period });

  return {
    MostKeysRefused: {
      severity: 'page',
      ...above(
        0.5,
        share('Unauthorized', 10),
        [2, 2],
        'requests get a 401: keys may be lost, or the authorizer is wrong.',
      ),
    },
    MostRequestsThrottled: {
      severity: 'page',
      ...above(0.5, share('Throttled', 10), [2, 2], 'requests get a 429.'),
    },
    AuthorizerFails: above(
      0.05,
      share('AuthorizerFaults', 100),
      [2, 3],
      'requests get a 503 because the authorizer cannot read the keys.',
    ),
    KeysRefused: above(
      0.25,
      share('Unauthorized', 100),
      [3, 3],
      'requests get a 401: a client lost its key, or someone is guessing.',
    ),
    RequestsThrottled: above(
      0.05,
      share('Throttled', 100),
      [3, 3],
      'requests get a 429: a method has reached its limit.',
    ),
    RequestsRejected: above(
      0.9,
      share('Rejected', 10),
      [2, 3],
      'requests get a 400 or 404: a release may reject what it accepted before.',
    ),
    ...Object.fromEntries(
      Object.keys(operations).map((operation) => [
        `OperationFails-${operation}`,
        above(
          0.1,
          indicators.share(`Errors-${operation}`, { of: `Served-${operation}`, atLeast: 30, period }),
          [2, 3],
          `${operation} requests get a 5xx.`,
        ),
      ]),
    ),
  };
}

/** Returns an alarm on a share of requests that is above a threshold in M of N periods. */
const above = (
  threshold: number,
  metric: IMetric,
  [datapointsToAlarm, evaluationPeriods]: readonly [number, number],
  outcome: string,
): Cause => ({
  metric,
  threshold,
  datapointsToAlarm,
  evaluationPeriods,
  meaning: `More than ${100 * threshold} % of ${outcome}`,
});
