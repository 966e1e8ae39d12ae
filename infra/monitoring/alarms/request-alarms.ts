import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { type OperationId, operations } from '../../../shared/service.ts';
import type { Indicators, Watched } from '../indicators.ts';
import { type AlarmDefinition, type AlarmDefinitions, twoOfThree } from './alarms.ts';

/**
 * How many times faster than the objective allows a budget of 30 days burns: 2% of it within an hour (0.02 ×
 * 720 h), 5% within six hours (0.05 × 720 h / 6 h), 10% within a day or three days.
 * https://sre.google/workbook/alerting-on-slos/
 */
const burnRates = { fast: 14.4, slow: 6, daily: 3, slowest: 1 };

/** The twelfth of the long window that the workbook has, thrice: what comes back within it is the same page. */
const now = { atLeast: 1, minutes: 5 };

const percent = (share: number) => `${Number((100 * share).toPrecision(3))}%`;

/** Returns an alarm on a share of requests, with the text that says so. */
const above = (threshold: number, metric: cloudwatch.MathExpression, what: string) => ({
  metric,
  threshold,
  meaning: `Within ${metric.period.toHumanString()}, more than ${percent(threshold)} of ${what}.`,
});

/** Returns the alarms on what the access log counts. */
export function requestAlarms({ settings }: Watched, indicators: Indicators): AlarmDefinitions {
  const { errorBudget, slowBudget, slowAfterMilliseconds } = settings.objectives;
  const slow = `took over ${slowAfterMilliseconds} ms`;
  const definitions: Record<string, AlarmDefinition> = {
    AvailabilityBurnsFast: {
      causeOf: 'page',
      ...above(
        burnRates.fast * errorBudget,
        indicators.share('Errors', { of: 'Served', atLeast: 1000, minutes: 60 }),
        'requests got a 5xx, and some still do',
      ),
      now: indicators.share('Errors', { of: 'Served', ...now }),
    },
    AvailabilityBurnsSlowly: {
      ...above(
        burnRates.slow * errorBudget,
        indicators.share('Errors', { of: 'Served', atLeast: 6000, minutes: 360 }),
        'requests got a 5xx',
      ),
      causeOf: 'requests-fail',
    },
    AvailabilityBurnsForADay: {
      ...above(
        burnRates.daily * errorBudget,
        indicators.share('Errors', { of: 'Served', atLeast: 10_000, minutes: 24 * 60 }),
        'requests got a 5xx, and some still do',
      ),
      now: indicators.share('Errors', { of: 'Served', atLeast: 1, minutes: 120 }),
      causeOf: 'requests-fail',
    },
    AvailabilityBurnsForDays: {
      // Not one period of three days: CloudWatch's longest is a day.
      // https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch_concepts.html
      ...above(
        burnRates.slowest * errorBudget,
        indicators.share('Errors', { of: 'Served', atLeast: 10_000, minutes: 24 * 60 }),
        'requests got a 5xx, for three days in a row',
      ),
      evaluationPeriods: 3,
      causeOf: 'requests-fail',
    },
    LatencyBurnsFast: {
      causeOf: 'page',
      ...above(
        burnRates.fast * slowBudget,
        indicators.share('Slow', { of: 'Served', atLeast: 1000, minutes: 60 }),
        `responses ${slow}, and some still do`,
      ),
      now: indicators.share('Slow', { of: 'Served', ...now }),
    },
    MostRequestsFail: {
      causeOf: 'page',
      ...above(
        0.5,
        // Five errors, even if a stage gets only one request every five minutes.
        indicators.share('Errors', { of: 'Served', atLeast: 9, minutes: 25 }),
        'requests got a 5xx',
      ),
    },
    // A ticket, because anybody can make up keys. If no valid key works any more, NothingServed pages.
    KeysRefused: {
      ...above(
        0.4,
        indicators.share('Denied', { of: 'ServedOrDenied', atLeast: 100, minutes: 5 }),
        'requests had a refused key',
      ),
      evaluationPeriods: 2,
      causeOf: 'keys-are-refused',
    },
    MostRequestsThrottled: {
      causeOf: 'page',
      ...above(
        0.5,
        indicators.share('Throttled', { of: 'ServedOrThrottled', atLeast: 100, minutes: 5 }),
        'requests got a 429',
      ),
      evaluationPeriods: 2,
    },
    RequestsThrottled: {
      ...above(
        0.05,
        indicators.share('Throttled', { of: 'ServedOrThrottled', atLeast: 100, minutes: 5 }),
        'requests got a 429',
      ),
      evaluationPeriods: 3,
      causeOf: 'requests-are-throttled',
    },
  };

  for (const { operationId } of Object.values(operations)) {
    const alarms = operationAlarms(operationId, indicators, burnRates.fast * slowBudget, slow);
    for (const [name, definition] of Object.entries(alarms))
      definitions[`${name}-${operationId}`] = definition;
  }

  const { expectsTrafficWithin } = settings;
  if (expectsTrafficWithin) {
    definitions['NothingServed'] = {
      causeOf: 'page',
      // Filled, because CloudWatch evaluates older data points before it treats any as missing.
      // https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarms-and-missing-data.html
      metric: new cloudwatch.MathExpression({
        label: 'Requests without a 5xx',
        period: expectsTrafficWithin,
        expression: 'FILL(served, 0) - FILL(errors, 0)',
        usingMetrics: { served: indicators.requests('Served'), errors: indicators.requests('Errors') },
      }),
      threshold: 1,
      comparisonOperator: cloudwatch.ComparisonOperator.LESS_THAN_THRESHOLD,
      treatMissingData: cloudwatch.TreatMissingData.BREACHING,
      meaning: `Within ${expectsTrafficWithin.toHumanString()}, no request was served: none arrived, or all failed or were refused. Clients notice.`,
    };
  }
  return definitions;
}

/** Returns the alarms of one operation, whose share of all requests may be too small for the others. */
const operationAlarms = (
  id: OperationId,
  indicators: Indicators,
  slowShare: number,
  slow: string,
): AlarmDefinitions => ({
  OperationDown: {
    causeOf: 'page',
    ...above(
      0.5,
      indicators.share(`Errors-${id}`, { of: `Served-${id}`, atLeast: 9, minutes: 25 }),
      'the requests to an operation got a 5xx',
    ),
  },
  OperationFails: {
    ...above(
      0.02,
      // 20 errors.
      indicators.share(`Errors-${id}`, { of: `Served-${id}`, atLeast: 999, minutes: 120 }),
      'the requests to an operation got a 5xx',
    ),
    causeOf: 'requests-fail',
  },
  OperationSlow: {
    ...above(
      slowShare,
      indicators.share(`Slow-${id}`, { of: `Served-${id}`, atLeast: 50, minutes: 60 }),
      `the responses of an operation ${slow}`,
    ),
    causeOf: 'responses-are-slow',
  },
  RequestsRejected: {
    ...above(
      0.9,
      indicators.share(`Rejected-${id}`, { of: `Served-${id}`, atLeast: 10, minutes: 5 }),
      'the requests to an operation got a 400 or 404',
    ),
    ...twoOfThree,
    causeOf: 'requests-are-rejected',
  },
});
