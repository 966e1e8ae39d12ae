import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { type OperationId, operations } from '../../../shared/contract/operations.ts';
import { errorBudget, slowAfterMilliseconds, slowBudget } from '../../settings/objectives.ts';
import type { Indicators, Watched } from '../indicators.ts';
import { type AlarmDefinition, type AlarmDefinitions, twoOfThree } from './alarms.ts';

/**
 * How many times faster than the objective allows a budget of 30 days burns: 2% of it within an hour (0.02 ×
 * 720 h), or 5% within six hours (0.05 × 720 h / 6 h).
 * https://sre.google/workbook/alerting-on-slos/
 */
const burnRates = { fast: 14.4, slow: 6 };

/** Returns the alarms on what the access log counts. */
export function requestAlarms({ settings }: Watched, indicators: Indicators): AlarmDefinitions {
  const definitions: Record<string, AlarmDefinition> = {
    AvailabilityBurnsFast: {
      severity: 'page',
      metric: indicators.share('Errors', { of: 'Served', atLeast: 1000, minutes: 60 }),
      threshold: burnRates.fast * errorBudget,
      meaning: 'Clients get a 5xx: the error budget of 30 days would be gone in two days.',
    },
    AvailabilityBurnsSlowly: {
      metric: indicators.share('Errors', { of: 'Served', atLeast: 6000, minutes: 360 }),
      threshold: burnRates.slow * errorBudget,
      meaning: 'Clients get a 5xx: the error budget of 30 days would be gone in five days.',
    },
    LatencyBurnsFast: {
      severity: 'page',
      metric: indicators.share('Slow', { of: 'Served', atLeast: 1000, minutes: 60 }),
      threshold: burnRates.fast * slowBudget,
      meaning: `More than 14.4% of responses take over ${slowAfterMilliseconds} ms.`,
    },
    MostRequestsFail: {
      severity: 'page',
      // Five errors, even if a stage gets only one request every five minutes.
      metric: indicators.share('Errors', { of: 'Served', atLeast: 9, minutes: 25 }),
      threshold: 0.5,
      meaning: 'More than half of requests get a 5xx.',
    },
    // A ticket, because anybody can make up keys. If no valid key works any more, NoRequests pages.
    MostKeysRefused: {
      metric: indicators.share('Denied', { of: 'ServedOrDenied', atLeast: 100, minutes: 5 }),
      threshold: 0.5,
      evaluationPeriods: 2,
      meaning: 'More than half of requests have a refused key: made up, expired, revoked or lost.',
    },
    MostRequestsThrottled: {
      severity: 'page',
      metric: indicators.share('Throttled', { of: 'ServedOrThrottled', atLeast: 100, minutes: 5 }),
      threshold: 0.5,
      evaluationPeriods: 2,
      meaning: 'More than half of requests get a 429.',
    },
    RequestsThrottled: {
      metric: indicators.share('Throttled', { of: 'ServedOrThrottled', atLeast: 100, minutes: 5 }),
      threshold: 0.05,
      evaluationPeriods: 3,
      meaning: 'More than 5% of requests get a 429: a method is at its limit.',
    },
  };

  for (const { operationId } of Object.values(operations)) {
    for (const [name, definition] of Object.entries(operationAlarms(operationId, indicators))) {
      definitions[`${name}-${operationId}`] = definition;
    }
  }

  const { expectsTrafficWithin } = settings;
  if (expectsTrafficWithin) {
    definitions['NoRequests'] = {
      severity: 'page',
      // Filled, because CloudWatch evaluates older data points before it treats any as missing.
      // https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarms-and-missing-data.html
      metric: new cloudwatch.MathExpression({
        label: 'Served requests',
        period: expectsTrafficWithin,
        expression: 'FILL(served, 0)',
        usingMetrics: { served: indicators.requests('Served') },
      }),
      threshold: 1,
      comparisonOperator: cloudwatch.ComparisonOperator.LESS_THAN_THRESHOLD,
      treatMissingData: cloudwatch.TreatMissingData.BREACHING,
      meaning: `No request was served for ${expectsTrafficWithin.toMinutes()} minutes: none arrives, or all are refused.`,
    };
  }
  return definitions;
}

/** Returns the alarms of one operation, whose share of all requests may be too small for the others. */
const operationAlarms = (id: OperationId, indicators: Indicators): AlarmDefinitions => ({
  OperationDown: {
    severity: 'page',
    metric: indicators.share(`Errors-${id}`, { of: `Served-${id}`, atLeast: 9, minutes: 25 }),
    threshold: 0.5,
    meaning: `More than half of the requests to ${id} get a 5xx.`,
  },
  OperationFails: {
    metric: indicators.share(`Errors-${id}`, { of: `Served-${id}`, atLeast: 1000, minutes: 120 }),
    threshold: 0.02,
    comparisonOperator: cloudwatch.ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
    meaning: `At least 2% of the requests to ${id} get a 5xx within two hours.`,
  },
  OperationSlow: {
    metric: indicators.share(`Slow-${id}`, { of: `Served-${id}`, atLeast: 50, minutes: 60 }),
    threshold: burnRates.fast * slowBudget,
    meaning: `More than 14.4% of the responses of ${id} take over ${slowAfterMilliseconds} ms.`,
  },
  RequestsRejected: {
    metric: indicators.share(`Rejected-${id}`, { of: `Served-${id}`, atLeast: 10, minutes: 5 }),
    threshold: 0.9,
    ...twoOfThree,
    meaning: `More than 90% of requests to ${id} get a 400 or 404: is a release too strict?`,
  },
});
