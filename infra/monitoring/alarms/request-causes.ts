import { Duration } from 'aws-cdk-lib';
import { type OperationId, operations } from '../../../shared/contract/operations.ts';
import type { Indicator, Indicators } from '../indicators/indicators.ts';
import type { Cause } from './causes.ts';

const period = Duration.minutes(5);

export function requestCauses(indicators: Indicators): Record<string, Cause> {
  /** Returns an alarm on a share of requests that is above a threshold in M of N periods. */
  const above = (
    threshold: number,
    counted: Indicator,
    total: { readonly of?: Indicator; readonly atLeast: number },
    [datapointsToAlarm, evaluationPeriods]: readonly [number, number],
    outcome: string,
  ) => ({
    metric: indicators.share(counted, { ...total, period }),
    threshold,
    datapointsToAlarm,
    evaluationPeriods,
    meaning: `More than ${100 * threshold}% of requests ${outcome}`,
  });
  const [few, many] = [{ atLeast: 10 }, { atLeast: 100 }];
  const fails = (operationId: OperationId) => {
    const total = { of: `Served-${operationId}`, atLeast: 30 } as const;
    return above(0.1, `Errors-${operationId}`, total, [2, 3], `to ${operationId} get a 5xx.`);
  };

  return {
    MostKeysRefused: {
      severity: 'page',
      ...above(0.5, 'Unauthorized', few, [2, 2], 'get a 401: keys may be lost, or the authorizer is broken.'),
    },
    MostRequestsThrottled: {
      severity: 'page',
      ...above(0.5, 'Throttled', few, [2, 2], 'get a 429.'),
    },
    AuthorizerFails: above(0.05, 'AuthorizerFaults', many, [2, 3], 'get a 503: keys cannot be read.'),
    KeysRefused: above(0.25, 'Unauthorized', many, [3, 3], 'get a 401: an invalid key, or guessing.'),
    RequestsThrottled: above(0.05, 'Throttled', many, [3, 3], 'get a 429: a method is at its limit.'),
    RequestsRejected: above(0.9, 'Rejected', few, [2, 3], 'get a 400 or 404: is a release too strict?'),
    ...Object.fromEntries(
      Object.values(operations).map(({ operationId: id }) => [`OperationFails-${id}`, fails(id)]),
    ),
  };
}
