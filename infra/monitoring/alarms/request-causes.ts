import { ComparisonOperator } from 'aws-cdk-lib/aws-cloudwatch';
import { operations } from '../../../shared/contract/operations.ts';
import { errorBudget, slowAfterMilliseconds, slowBudget } from '../../settings/objectives.ts';
import type { Indicators } from '../indicators/indicators.ts';
import { type Cause, twoOfThree } from './alarms.ts';

/**
 * How many times faster than the objective allows a budget of 30 days burns: 2% of it within an hour (0.02 ×
 * 720 h), or 5% within six hours (0.05 × 720 h / 6 h).
 * https://sre.google/workbook/alerting-on-slos/
 */
export const burnRates = { fast: 14.4, slow: 6 };

/** Returns the alarms on shares of requests, by name: what is counted, requests assumed, minutes. */
export function requestCauses(indicators: Indicators): Record<string, Cause> {
  const ofOperations = Object.values(operations).map(
    ({ operationId: id }): Record<string, Cause> => ({
      [`OperationFails-${id}`]: {
        metric: indicators.share(`Errors-${id}`, 1000, 120, `Served-${id}`),
        threshold: 0.02,
        comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        meaning: `At least 2% of the requests to ${id} get a 5xx within two hours.`,
      },
      [`RequestsRejected-${id}`]: {
        metric: indicators.share(`Rejected-${id}`, 10, 5, `Served-${id}`),
        threshold: 0.9,
        ...twoOfThree,
        meaning: `More than 90% of requests to ${id} get a 400 or 404: is a release too strict?`,
      },
    }),
  );
  return {
    AvailabilityBurnsFast: {
      severity: 'page',
      metric: indicators.share('Errors', 1000, 60),
      threshold: burnRates.fast * errorBudget,
      meaning: 'Clients get a 5xx: the error budget of 30 days would be gone in two days.',
    },
    AvailabilityBurnsSlowly: {
      metric: indicators.share('Errors', 6000, 360),
      threshold: burnRates.slow * errorBudget,
      meaning: 'Clients get a 5xx: the error budget of 30 days would be gone in five days.',
    },
    LatencyBurnsFast: {
      severity: 'page',
      metric: indicators.share('Slow', 1000, 60),
      threshold: burnRates.fast * slowBudget,
      meaning: `More than 14.4% of responses take over ${slowAfterMilliseconds} ms.`,
    },
    MostRequestsFail: {
      severity: 'page',
      // Five errors, even if a stage gets only one request every five minutes.
      metric: indicators.share('Errors', 9, 25),
      threshold: 0.5,
      meaning: 'More than half of requests get a 5xx.',
    },
    MostKeysRefused: {
      severity: 'page',
      metric: indicators.share('Denied', 100, 5, 'ServedOrDenied'),
      threshold: 0.5,
      evaluationPeriods: 2,
      meaning: 'More than half of requests are denied: keys may be lost, or the authorizer is broken.',
    },
    MostRequestsThrottled: {
      severity: 'page',
      metric: indicators.share('Throttled', 10, 5, 'ServedOrThrottled'),
      threshold: 0.5,
      evaluationPeriods: 2,
      meaning: 'More than half of requests get a 429.',
    },
    RequestsThrottled: {
      metric: indicators.share('Throttled', 100, 5, 'ServedOrThrottled'),
      threshold: 0.05,
      evaluationPeriods: 3,
      meaning: 'More than 5% of requests get a 429: a method is at its limit.',
    },
    ...Object.assign({}, ...ofOperations),
  };
}
