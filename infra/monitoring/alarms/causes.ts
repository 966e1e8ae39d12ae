import { Duration } from 'aws-cdk-lib';
import {
  ComparisonOperator,
  MathExpression,
  Metric,
  Stats,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { UsedTable } from '../../service/tables.ts';
import { claimedConcurrency, tableThrottles } from '../indicators/aws-metrics.ts';
import { type Indicators, shareOf, type Watched } from '../indicators/indicators.ts';
import { type Cause, twoOfThree } from './alarms.ts';

const period = Duration.minutes(5);
const below = { comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD };

/** Returns the alarms on AWS's own metrics and on damaged items, by name. */
export function causes(watched: Watched, indicators: Indicators): Record<string, Cause> {
  const { restApi, accessLogs, domain } = watched.api;
  const { accountConcurrency, expectsTrafficWithin } = watched.settings;
  const requests = restApi.metricCount({ statistic: Stats.SUM });
  const lines = new Metric({
    namespace: 'AWS/Logs',
    metricName: 'IncomingLogEvents',
    dimensionsMap: { LogGroupName: accessLogs.logGroupName },
    statistic: Stats.SUM,
  });

  return {
    GatewayErrors: {
      severity: 'page',
      metric: shareOf(restApi.metricServerError(), 180, 5, requests),
      // At least ten.
      threshold: 0.05,
      ...twoOfThree,
      meaning: 'API Gateway itself counts more than 5% of responses as a 5xx; this needs no log.',
    },
    AccessLogEmpty: {
      severity: 'page',
      metric: new MathExpression({
        label: 'Requests without a log line',
        period,
        expression: 'IF(FILL(requests, 0) > 0, IF(FILL(lines, 0) > 0, 0, 1), 0)',
        usingMetrics: { requests, lines },
      }),
      threshold: 0,
      ...twoOfThree,
      meaning: 'API Gateway counts requests that are not in the access log: most alarms are blind.',
    },
    FunctionsThrottled: {
      // Of all functions of the account and region, which share its concurrency.
      metric: LambdaFunction.metricAllThrottles(),
      threshold: 0,
      ...twoOfThree,
      meaning: 'Lambda refuses to run a function: the account has no concurrency left.',
    },
    ConcurrencyNearLimit: {
      metric: claimedConcurrency(),
      threshold: 0.8 * accountConcurrency,
      datapointsToAlarm: 3,
      evaluationPeriods: 5,
      meaning: `More than 80% of the account's ${accountConcurrency} concurrent executions are in use.`,
    },
    ...Object.fromEntries(watched.tables.map((table) => [`TablesThrottled-${table.id}`, throttled(table)])),
    DamagedItems: {
      metric: indicators.metric('DamagedItems'),
      threshold: 0,
      meaning: 'A stored item does not parse: lists omit it, and reading it returns a 5xx.',
    },
    ...(expectsTrafficWithin && {
      NoRequests: {
        severity: 'page',
        // Filled, because CloudWatch evaluates older data points before it treats any as missing.
        // https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/alarms-and-missing-data.html
        metric: new MathExpression({
          label: 'Requests',
          period: expectsTrafficWithin,
          expression: 'FILL(requests, 0)',
          usingMetrics: { requests },
        }),
        threshold: 1,
        ...below,
        treatMissingData: TreatMissingData.BREACHING,
        meaning: `No request for ${expectsTrafficWithin.toMinutes()} minutes: DNS, certificate or endpoint may be down.`,
      },
    }),
    ...(domain && {
      CertificateExpires: {
        // https://docs.aws.amazon.com/acm/latest/userguide/cloudwatch-metrics.html
        metric: domain.certificate.metricDaysToExpiry(),
        threshold: 30,
        ...below,
        meaning: "The domain's certificate expires in less than 30 days: ACM could not renew it.",
      },
    }),
  };
}

function throttled(table: UsedTable): Cause {
  const metrics = tableThrottles(table).map((metric, index) => [`m${index}`, metric] as const);
  return {
    metric: new MathExpression({
      label: 'Sum',
      period,
      expression: metrics.map(([id]) => `FILL(${id}, 0)`).join(' + '),
      usingMetrics: Object.fromEntries(metrics),
    }),
    // A few do not matter: the functions retry.
    threshold: 10,
    ...twoOfThree,
    meaning: 'DynamoDB throttles the table or an index: a partition has reached its limit.',
  };
}
