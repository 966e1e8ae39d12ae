import { Duration } from 'aws-cdk-lib';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { UsedTable } from '../../service/tables.ts';
import type { Watched } from './watched.ts';

export const apiMetric = ({ apiName: ApiName }: Watched, metricName: string): Metric =>
  metric('AWS/ApiGateway', metricName, { ApiName });

export const accessLogLines = ({ accessLogs: { logGroupName } }: Watched): Metric =>
  metric('AWS/Logs', 'IncomingLogEvents', { LogGroupName: logGroupName });

/** Returns the throttles of all functions of the account and region: they share its concurrency. */
export const functionThrottles = (): Metric => metric('AWS/Lambda', 'Throttles', {});

export const claimedConcurrency = (): Metric =>
  metric('AWS/Lambda', 'ClaimedAccountConcurrency', {}, Stats.MAXIMUM).with({ period: Duration.minutes(1) });

/** Returns the throttles of a table and its indexes; a throttled index throttles writes to its table. */
export function tableThrottles({ tableName: TableName, indexes }: UsedTable): Metric[] {
  const ofIndexes = Object.keys(indexes).map((name) => ({ TableName, GlobalSecondaryIndexName: name }));
  return [{ TableName }, ...ofIndexes].flatMap((part) =>
    ['ReadThrottleEvents', 'WriteThrottleEvents'].map((name) => metric('AWS/DynamoDB', name, part)),
  );
}

/** Returns a metric, by default its sum in five minutes. */
function metric(namespace: string, metricName: string, dimensionsMap: object, statistic = Stats.SUM): Metric {
  return new Metric({ namespace, metricName, dimensionsMap: { ...dimensionsMap }, statistic });
}
