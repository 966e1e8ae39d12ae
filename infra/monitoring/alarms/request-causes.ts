import { Duration } from 'aws-cdk-lib';
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

const period = Duration.minutes(5);
const once = { evaluationPeriods: 1 };
const twice = { evaluationPeriods: 2 };
const threeTimes = { evaluationPeriods: 3 };

/** Returns the alarms on shares of requests. A share assumes `atLeast` requests, so few errors do not count. */
export function requestCauses(indicators: Indicators): Record<string, Cause> {
  const ofOperations = Object.values(operations).map(({ operationId }): Record<string, Cause> => {
    const of = `Served-${operationId}` as const;
    const longPeriod = Duration.hours(2);
    return {
      [`OperationFails-${operationId}`]: {
        metric: indicators.share(`Errors-${operationId}`, { of, atLeast: 1000, period: longPeriod }),
        threshold: 0.02,
        comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
        ...once,
        meaning: `At least 2% of the requests to ${operationId} get a 5xx within two hours.`,
      },
      [`RequestsRejected-${operationId}`]: {
        metric: indicators.share(`Rejected-${operationId}`, { of, atLeast: 10, period }),
        threshold: 0.9,
        ...twoOfThree,
        meaning: `More than 90% of requests to ${operationId} get a 400 or 404: is a release too strict?`,
      },
    };
  });

  return {
    AvailabilityBurnsFast: {
      severity: 'page',
      metric: indicators.share('Errors', { atLeast: 1000, period: Duration.hours(1) }),
      threshold: burnRates.fast * errorBudget,
      ...once,
      meaning: 'Clients get a 5xx: the error budget of 30 days would be gone in two days.',
    },
    AvailabilityBurnsSlowly: {
      metric: indicators.share('Errors', { atLeast: 6000, period: Duration.hours(6) }),
      threshold: burnRates.slow * errorBudget,
      ...once,
      meaning: 'Clients get a 5xx: the error budget of 30 days would be gone in five days.',
    },
    LatencyBurnsFast: {
      severity: 'page',
      metric: indicators.share('Slow', { atLeast: 1000, period: Duration.hours(1) }),
      threshold: burnRates.fast * slowBudget,
      ...once,
      meaning: `Clients wait for more than ${slowAfterMilliseconds} ms: the latency budget of 30 days would be gone in two days.`,
    },
    MostRequestsFail: {
      severity: 'page',
      // Five errors, even if a stage gets only one request every five minutes.
      metric: indicators.share('Errors', { atLeast: 9, period: Duration.minutes(25) }),
      threshold: 0.5,
      ...once,
      meaning: 'More than half of requests get a 5xx.',
    },
    MostKeysRefused: {
      severity: 'page',
      metric: indicators.share('Denied', { atLeast: 100, period }),
      threshold: 0.5,
      ...twice,
      meaning: 'More than half of requests are denied: keys may be lost, or the authorizer is broken.',
    },
    MostRequestsThrottled: {
      severity: 'page',
      metric: indicators.share('Throttled', { atLeast: 10, period }),
      threshold: 0.5,
      ...twice,
      meaning: 'More than half of requests get a 429.',
    },
    RequestsThrottled: {
      metric: indicators.share('Throttled', { atLeast: 100, period }),
      threshold: 0.05,
      ...threeTimes,
      meaning: 'More than 5% of requests get a 429: a method is at its limit.',
    },
    AuthorizerFails: {
      metric: indicators.share('AuthorizerFaults', { atLeast: 100, period }),
      threshold: 0.05,
      ...twoOfThree,
      meaning: 'More than 5% of requests get a 503: keys cannot be read.',
    },
    ...Object.assign({}, ...ofOperations),
  };
}
