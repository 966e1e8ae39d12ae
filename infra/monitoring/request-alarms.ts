import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type { Duration } from 'aws-cdk-lib/core';
import { operations } from '../../shared/service.ts';
import { type AlarmDefinition, twoOfThree } from './add-alarms.ts';
import type { Indicators, Watched } from './indicators.ts';

/**
 * How many times faster than the objective allows a budget of 30 days burns: 2% of it within an hour (0.02 ×
 * 720 h), 5% within six hours (0.05 × 720 h / 6 h), 10% within three days.
 * https://sre.google/workbook/alerting-on-slos/
 */
const burnRates = { fast: 14.4, slow: 6, slowest: 1 };

/** The workbook's short window, a twelfth of an hour: a page stays open for three of them after a breach. */
const now = { atLeast: 1, minutes: 5 };

const percent = (share: number) => `${Number((100 * share).toPrecision(3))}%`;

/** Returns an alarm on a share of requests, with the text that says so. */
const above = (threshold: number, metric: cloudwatch.MathExpression, detail = '') => ({
  metric,
  threshold,
  figures: `more than ${percent(threshold)}${detail} within ${metric.period.toHumanString()}`,
});

/** Returns the alarms on what the access log counts. */
export function requestAlarms({ settings }: Watched, indicators: Indicators): AlarmDefinition[] {
  const { objectives, expectsTrafficWithin } = settings;
  const { errorBudget, slowBudget, slowAfterMilliseconds } = objectives;
  const slow = ` over ${slowAfterMilliseconds} ms`;
  const errors6h = indicators.share('Errors', { atLeast: 6000, minutes: 360 });
  const throttled = indicators.share('Throttled', { of: 'ServedOrThrottled', atLeast: 100, minutes: 5 });
  // An operation's share of all requests may be too small for the other alarms.
  const ids = Object.values(operations).map(({ operationId }) => operationId);

  return [
    {
      kind: 'AvailabilityBurnsFast',
      ...above(burnRates.fast * errorBudget, indicators.share('Errors', { atLeast: 1000, minutes: 60 })),
      now: indicators.share('Errors', now),
    },
    {
      kind: 'LatencyBurnsFast',
      ...above(burnRates.fast * slowBudget, indicators.share('Slow', { atLeast: 1000, minutes: 60 }), slow),
      now: indicators.share('Slow', now),
    },
    {
      kind: 'MostRequestsThrottled',
      ...above(0.5, throttled),
      evaluationPeriods: 2,
    },
    ...ids.map((id) => ({
      kind: 'OperationDown' as const,
      of: id,
      ...above(
        0.5,
        // Long enough for five errors if it gets only one request every five minutes.
        indicators.share(`Errors-${id}`, { of: `Served-${id}`, atLeast: 9, minutes: 25 }),
      ),
    })),
    ...(expectsTrafficWithin ? [nothingServed(expectsTrafficWithin, indicators)] : []),
    {
      kind: 'AvailabilityBurnsSlowly',
      ...above(burnRates.slow * errorBudget, errors6h),
    },
    {
      kind: 'AvailabilityBurnsForDays',
      ...above(burnRates.slowest * errorBudget, errors6h),
      // One outage must not count for three days: docs/decisions.md.
      datapointsToAlarm: 4,
      evaluationPeriods: 12,
    },
    // No page, because anybody can make up keys. If no valid key works any more, NothingServed pages.
    {
      kind: 'KeysRefused',
      ...above(0.4, indicators.share('Denied', { of: 'ServedOrDenied', atLeast: 100, minutes: 5 })),
      evaluationPeriods: 2,
    },
    {
      kind: 'RequestsThrottled',
      ...above(0.05, throttled),
      evaluationPeriods: 3,
    },
    ...ids.map((id) => ({
      kind: 'OperationFails' as const,
      of: id,
      ...above(0.02, indicators.share(`Errors-${id}`, { of: `Served-${id}`, atLeast: 999, minutes: 120 })),
    })),
    ...ids.map((id) => ({
      kind: 'OperationSlow' as const,
      of: id,
      ...above(
        burnRates.fast * slowBudget,
        indicators.share(`Slow-${id}`, { of: `Served-${id}`, atLeast: 50, minutes: 60 }),
        slow,
      ),
    })),
    ...ids.map((id) => ({
      kind: 'RequestsRejected' as const,
      of: id,
      ...above(0.9, indicators.share(`Rejected-${id}`, { of: `Served-${id}`, atLeast: 10, minutes: 5 })),
      ...twoOfThree,
    })),
  ];
}

/** Pages if nothing is served within `expectsTrafficWithin`, whatever the cause. No stage sets it by default. */
const nothingServed = (within: Duration, indicators: Indicators): AlarmDefinition => ({
  kind: 'NothingServed',
  // Filled, because CloudWatch evaluates older data points before it treats any as missing.
  // https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarms-and-missing-data.html
  metric: new cloudwatch.MathExpression({
    label: 'Requests without a 5xx',
    period: within,
    expression: 'FILL(served, 0) - FILL(errors, 0)',
    usingMetrics: { served: indicators.requests('Served'), errors: indicators.requests('Errors') },
  }),
  threshold: 1,
  comparisonOperator: cloudwatch.ComparisonOperator.LESS_THAN_THRESHOLD,
  treatMissingData: cloudwatch.TreatMissingData.BREACHING,
  figures: `within ${within.toHumanString()}`,
});
