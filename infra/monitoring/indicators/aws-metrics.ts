import { Duration } from 'aws-cdk-lib';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { UsedTable } from '../../service/tables.ts';
import type { Watched } from './watched.ts';

export const apiMetric = ({ apiName }: Watched, metricName: string): Metric =>
  metric('AWS/ApiGateway', metricName, { ApiName: apiName });

export const accessLogLines = ({ accessLogs }: Watched): Metric =>
  metric('AWS/Logs', 'IncomingLogEvents', { LogGroupName: accessLogs.logGroupName });

/** Returns the throttles of all functions of the account and region: they share its concurrency. */
export const functionThrottles = (): Metric => metric('AWS/Lambda', 'Throttles');

export const claimedConcurrency = (): Metric =>
  metric('AWS/Lambda', 'ClaimedAccountConcurrency').with({
    statistic: Stats.MAXIMUM,
    period: Duration.minutes(1),
  });

/** Returns the throttles of a table and its indexes; a throttled index throttles writes to its table. */
export function tableThrottles({ tableName: TableName, indexes }: UsedTable): Metric[] {
  const ofIndexes = Object.keys(indexes).map((name) => ({ TableName, GlobalSecondaryIndexName: name }));
  return [{ TableName }, ...ofIndexes].flatMap((part) =>
    ['ReadThrottleEvents', 'WriteThrottleEvents'].map((name) => metric('AWS/DynamoDB', name, part)),
  );
}

const metric = (namespace: string, metricName: string, dimensionsMap: Record<string, string> = {}) =>
  new Metric({ namespace, metricName, dimensionsMap, statistic: Stats.SUM });
