import { Duration } from 'aws-cdk-lib';
import {
  ComparisonOperator,
  type CreateAlarmOptions,
  type IMetric,
  MathExpression,
  Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { accessLogLines, apiMetric, callMetrics, capacityMetrics } from '../indicators/aws-metrics.ts';
import type { Indicators } from '../indicators/indicators.ts';
import type { Watched } from '../indicators/watched.ts';
import type { Severity } from './alarm-topics.ts';

/**
 * A metric alarm. It needs M of N periods, because FILL makes a period with late data a zero.
 * https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/using-metric-math.html
 */
export interface Cause extends CreateAlarmOptions {
  readonly severity?: Severity;
  readonly metric: IMetric;
  readonly meaning: string;
}

/** Most alarms fire above their threshold, and do not fire without data. */
export const firesAbove = {
  comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
  treatMissingData: TreatMissingData.NOT_BREACHING,
};

const period = Duration.minutes(5);
const twoOfThree = { datapointsToAlarm: 2, evaluationPeriods: 3 } as const;

/** Returns the causes of failures, by alarm name. */
export function causes(watched: Watched, indicators: Indicators) {
  const { accountConcurrency } = watched.settings;

  return {
    FunctionsThrottled: {
      metric: sumOf(Object.values(watched.functions).map((target) => target.function.metricThrottles())),
      threshold: 0,
      ...twoOfThree,
      meaning: 'Lambda refuses to run a function: the account has no concurrency left.',
    },
    ConcurrencyNearLimit: {
      metric: new Metric({
        namespace: 'AWS/Lambda',
        metricName: 'ClaimedAccountConcurrency',
        statistic: Stats.MAXIMUM,
        period: Duration.minutes(1),
      }),
      threshold: 0.8 * accountConcurrency,
      datapointsToAlarm: 3,
      evaluationPeriods: 5,
      meaning: `More than 80% of the account's ${accountConcurrency} concurrent executions are in use.`,
    },
    TablesThrottled: {
      metric: sumOf(capacityMetrics(watched, 'ReadThrottleEvents', 'WriteThrottleEvents')),
      // A few do not matter: the functions retry.
      threshold: 10,
      ...twoOfThree,
      meaning: 'DynamoDB throttles a table or its index: a partition has reached its limit.',
    },
    TablesFail: {
      metric: sumOf(callMetrics(watched, 'SystemErrors')),
      threshold: 10,
      ...twoOfThree,
      meaning: 'DynamoDB calls fail with system errors.',
    },
    DamagedPets: {
      metric: indicators.metric('DamagedPets').with({ period }),
      threshold: 0,
      evaluationPeriods: 1,
      meaning: 'A stored pet does not parse: lists omit it, and getPet returns a 500.',
    },
    AccessLogEmpty: {
      metric: new MathExpression({
        label: 'Requests without a log line',
        period,
        expression: 'IF(FILL(requests, 0) > 0, IF(FILL(lines, 0) > 0, 0, 1), 0)',
        usingMetrics: { requests: apiMetric(watched, 'Count'), lines: accessLogLines(watched) },
      }),
      threshold: 0,
      ...twoOfThree,
      meaning: 'API Gateway counts requests that are not in the access log: most alarms are blind.',
    },
  } as const satisfies Record<string, Cause>;
}

/** Returns the alarms that depend on a stage's settings, by name. */
export function optionalCauses(watched: Watched): Record<string, Cause> {
  const { certificate, settings } = watched;
  const below = { comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD, evaluationPeriods: 1 };
  return {
    ...(settings.expectsTrafficWithin && {
      NoRequests: {
        severity: 'page',
        metric: apiMetric(watched, 'Count').with({ period: settings.expectsTrafficWithin }),
        threshold: 1,
        ...below,
        treatMissingData: TreatMissingData.BREACHING,
        meaning: `No request for ${settings.expectsTrafficWithin.toMinutes()} minutes: DNS, certificate or endpoint may be down.`,
      },
    }),
    ...(certificate && {
      CertificateExpires: {
        // https://docs.aws.amazon.com/acm/latest/userguide/cloudwatch-metrics.html
        metric: certificate.metricDaysToExpiry(),
        threshold: 30,
        ...below,
        meaning: "The domain's certificate expires in less than 30 days: ACM could not renew it.",
      },
    }),
  };
}

/** Returns the sum of metrics that may have gaps. */
const sumOf = (metrics: readonly IMetric[]) =>
  new MathExpression({
    label: 'Sum',
    period,
    expression: metrics.map((_metric, index) => `FILL(m${index}, 0)`).join(' + '),
    usingMetrics: Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric])),
  });
