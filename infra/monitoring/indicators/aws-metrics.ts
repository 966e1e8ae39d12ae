import { Duration } from 'aws-cdk-lib';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import type { UsedTable } from '../../service/tables.ts';

export const claimedConcurrency = (): Metric =>
  LambdaFunction.metricAll('ClaimedAccountConcurrency', {
    statistic: Stats.MAXIMUM,
    period: Duration.minutes(1),
  });

/** Returns the throttles of a table and its indexes; a throttled index throttles writes to its table. */
export function tableThrottles({ tableName: TableName, indexes }: UsedTable): Metric[] {
  const ofIndexes = Object.keys(indexes).map((name) => ({ TableName, GlobalSecondaryIndexName: name }));
  return [{ TableName }, ...ofIndexes].flatMap((dimensionsMap) =>
    ['ReadThrottleEvents', 'WriteThrottleEvents'].map(
      (metricName) =>
        new Metric({ namespace: 'AWS/DynamoDB', metricName, dimensionsMap, statistic: Stats.SUM }),
    ),
  );
}
