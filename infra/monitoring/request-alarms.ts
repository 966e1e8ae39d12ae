import type { Duration } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import { operations } from '../../shared/service.ts';
import { type Alarms, twoOfThree } from './add-alarms.ts';
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
const above = (threshold: number, metric: cloudwatch.MathExpression, what: string) => ({
  metric,
  threshold,
  meaning: `Within ${metric.period.toHumanString()}, more than ${percent(threshold)} of ${what}.`,
});

/** Returns the alarms on what the access log counts. */
export function requestAlarms(
  { settings }: Watched,
  indicators: Indicators,
): Pick<Alarms, 'pages' | 'tickets'> {
  const { objectives, expectsTrafficWithin } = settings;
  const { errorBudget, slowBudget, slowAfterMilliseconds } = objectives;
  const tookTooLong = `took over ${slowAfterMilliseconds} ms`;
  const errors6h = indicators.share('Errors', { atLeast: 6000, minutes: 360 });
  const throttled = indicators.share('Throttled', { of: 'ServedOrThrottled', atLeast: 100, minutes: 5 });
  // An operation's share of all requests may be too small for the other alarms.
  const ids = Object.values(operations).map(({ operationId }) => operationId);

  return {
    pages: [
      {
        name: 'AvailabilityBurnsFast',
        ...above(
          burnRates.fast * errorBudget,
          indicators.share('Errors', { atLeast: 1000, minutes: 60 }),
          'requests got a 5xx, and some still do',
        ),
        now: indicators.share('Errors', now),
      },
      {
        name: 'LatencyBurnsFast',
        ...above(
          burnRates.fast * slowBudget,
          indicators.share('Slow', { atLeast: 1000, minutes: 60 }),
          `responses ${tookTooLong}, and some still do`,
        ),
        now: indicators.share('Slow', now),
      },
      {
        name: 'MostRequestsThrottled',
        ...above(0.5, throttled, 'requests got a 429'),
        evaluationPeriods: 2,
      },
      ...ids.map((id) => ({
        name: `OperationDown-${id}`,
        ...above(
          0.5,
          // Long enough for five errors if it gets only one request every five minutes.
          indicators.share(`Errors-${id}`, { of: `Served-${id}`, atLeast: 9, minutes: 25 }),
          'the requests to an operation got a 5xx',
        ),
      })),
      ...(expectsTrafficWithin ? [nothingServed(expectsTrafficWithin, indicators)] : []),
    ],
    tickets: [
      {
        name: 'AvailabilityBurnsSlowly',
        section: 'requests-fail',
        ...above(burnRates.slow * errorBudget, errors6h, 'requests got a 5xx'),
      },
      {
        name: 'AvailabilityBurnsForDays',
        section: 'requests-fail',
        ...above(burnRates.slowest * errorBudget, errors6h, 'requests got a 5xx, for a third of three days'),
        // One outage must not count for three days: docs/decisions.md.
        datapointsToAlarm: 4,
        evaluationPeriods: 12,
      },
      // No page, because anybody can make up keys. If no valid key works any more, NothingServed pages.
      {
        name: 'KeysRefused',
        section: 'keys-are-refused',
        ...above(
          0.4,
          indicators.share('Denied', { of: 'ServedOrDenied', atLeast: 100, minutes: 5 }),
          'requests had a refused key',
        ),
        evaluationPeriods: 2,
      },
      {
        name: 'RequestsThrottled',
        section: 'requests-are-throttled',
        ...above(0.05, throttled, 'requests got a 429'),
        evaluationPeriods: 3,
      },
      ...ids.map((id) => ({
        name: `OperationFails-${id}`,
        section: 'requests-fail' as const,
        ...above(
          0.02,
          indicators.share(`Errors-${id}`, { of: `Served-${id}`, atLeast: 999, minutes: 120 }),
          'the requests to an operation got a 5xx',
        ),
      })),
      ...ids.map((id) => ({
        name: `OperationSlow-${id}`,
        section: 'responses-are-slow' as const,
        ...above(
          burnRates.fast * slowBudget,
          indicators.share(`Slow-${id}`, { of: `Served-${id}`, atLeast: 50, minutes: 60 }),
          `the responses of an operation ${tookTooLong}`,
        ),
      })),
      ...ids.map((id) => ({
        name: `RequestsRejected-${id}`,
        section: 'requests-are-rejected' as const,
        ...above(
          0.9,
          indicators.share(`Rejected-${id}`, { of: `Served-${id}`, atLeast: 10, minutes: 5 }),
          'the requests to an operation got a 400 or 404',
        ),
        ...twoOfThree,
      })),
    ],
  };
}

/** Pages if nothing is served within `expectsTrafficWithin`, whatever the cause. No stage sets it by default. */
const nothingServed = (within: Duration, indicators: Indicators) => ({
  name: 'NothingServed',
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
  meaning: `Within ${within.toHumanString()}, no request was served: none arrived, or all failed or were refused.`,
});
