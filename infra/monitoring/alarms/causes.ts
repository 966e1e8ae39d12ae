import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { petsTable } from '../../../shared/tables/table-definitions.ts';
import type { UsedTable } from '../../service/tables.ts';
import type { Indicators } from '../indicators/indicators.ts';
import { share } from '../indicators/share.ts';
import { functionsOf, type Watched } from '../indicators/watched.ts';

/** What an alarm for a cause looks at, and from where on. */
export interface Cause {
  readonly metric: IMetric;
  /** Above this it rings, in so many of the last so many periods. */
  readonly threshold: number;
  readonly datapoints: readonly [number, number];
  readonly meaning: string;
}

const period = Duration.minutes(5);

/**
 * What hurts or is about to, by the alarm's name. None of these wakes anybody: what clients feel of it burns the budget,
 * and that does.
 */
export function causes(watched: Watched, indicators: Indicators) {
  const { pets, apiKeys } = watched;
  const { accountConcurrency } = watched.settings;
  const shareOfRequests = (indicator: 'AuthorizerFaults' | 'Throttled' | 'Unauthorized') =>
    share({
      counted: indicators.metric(indicator),
      of: indicators.metric('Requests'),
      atLeast: 100,
      period,
      label: `${indicator} by request`,
    });

  return {
    AuthorizerFails: {
      metric: shareOfRequests('AuthorizerFaults'),
      threshold: 0.05,
      datapoints: [2, 3],
      meaning: 'More than 5 % of requests get a 503 because the authorizer throws: it can not read the keys.',
    },
    KeysRefused: {
      metric: shareOfRequests('Unauthorized'),
      threshold: 0.25,
      datapoints: [3, 3],
      meaning: 'More than a quarter of requests get a 401: a client lost its key, or somebody is guessing.',
    },
    RequestsThrottled: {
      metric: shareOfRequests('Throttled'),
      threshold: 0.05,
      datapoints: [3, 3],
      meaning: 'More than 5 % of requests get a 429: a method has met its limit.',
    },
    FunctionsThrottled: {
      metric: sumOf(functionsOf(watched).map((target) => target.function.metricThrottles({ period }))),
      threshold: 0,
      datapoints: [2, 3],
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
      datapoints: [3, 5],
      meaning: `More than 80 % of the account's ${accountConcurrency} concurrent executions are taken.`,
    },
    TablesThrottled: {
      metric: sumOf(throttleMetrics(pets, apiKeys)),
      // The functions try again: a few are not felt.
      threshold: 10,
      datapoints: [2, 3],
      meaning: 'DynamoDB throttles a table or its index: a partition has met its limit.',
    },
    TablesFail: {
      metric: sumOf(systemErrorMetrics(pets, apiKeys)),
      threshold: 10,
      datapoints: [2, 3],
      meaning: 'DynamoDB fails calls with errors of its own.',
    },
  } as const satisfies Record<string, Cause>;
}

/** The reads and writes that DynamoDB throttled, of each table and of the index, which throttles writes to its table. */
function throttleMetrics(pets: UsedTable, apiKeys: UsedTable): Metric[] {
  const index = { GlobalSecondaryIndexName: petsTable.statusIndex.name };
  const of = (metricName: string, table: UsedTable, dimensions = {}) =>
    tableMetric(metricName, { TableName: table.tableName, ...dimensions });
  return ['ReadThrottleEvents', 'WriteThrottleEvents'].flatMap((name) => [
    of(name, pets),
    of(name, pets, index),
    of(name, apiKeys),
  ]);
}

function systemErrorMetrics(pets: UsedTable, apiKeys: UsedTable): Metric[] {
  const of = (table: UsedTable, Operation: string) =>
    tableMetric('SystemErrors', { TableName: table.tableName, Operation });
  return [
    ...['GetItem', 'PutItem', 'Query', 'Scan'].map((operation) => of(pets, operation)),
    of(apiKeys, 'GetItem'),
  ];
}

const tableMetric = (metricName: string, dimensionsMap: Record<string, string>) =>
  new Metric({ namespace: 'AWS/DynamoDB', metricName, dimensionsMap, statistic: Stats.SUM, period });

/** The sum of metrics, each of which has gaps where there is nothing to tell. */
function sumOf(metrics: readonly IMetric[]): MathExpression {
  return new MathExpression({
    label: 'Sum',
    period,
    expression: metrics.map((_metric, index) => `FILL(m${index}, 0)`).join(' + '),
    usingMetrics: Object.fromEntries(metrics.map((metric, index) => [`m${index}`, metric])),
  });
}
