import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { DeployedTable } from '../service/tables.ts';

/** Returns the throttles of a table and its indexes; a throttled index throttles writes to its table. */
export function throttles({ id, tableName: TableName, indexes }: DeployedTable): MathExpression {
  const ofIndexes = Object.keys(indexes).map((name) => ({ TableName, GlobalSecondaryIndexName: name }));
  const metrics = [{ TableName }, ...ofIndexes].flatMap((dimensionsMap) =>
    ['ReadThrottleEvents', 'WriteThrottleEvents'].map(
      (metricName) =>
        new Metric({ namespace: 'AWS/DynamoDB', metricName, dimensionsMap, statistic: Stats.SUM }),
    ),
  );
  // The dashboard shows all tables in one graph, where the ids must differ.
  const named = metrics.map((metric, index) => [`${id}${index}`, metric] as const);
  return new MathExpression({
    label: id,
    expression: named.map(([name]) => `FILL(${name}, 0)`).join(' + '),
    usingMetrics: Object.fromEntries(named),
  });
}
