import { MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { DeployedTable } from '../service/tables.ts';
import type { WebAclRule } from '../service/web-acl.ts';

/** Returns the throttles of a table and its indexes; a throttled index throttles writes to its table. */
export function throttles({ id, tableName: TableName, indexes }: DeployedTable): MathExpression {
  const indexDimensions = Object.keys(indexes).map((name) => ({ TableName, GlobalSecondaryIndexName: name }));
  const metrics = [{ TableName }, ...indexDimensions].flatMap((dimensionsMap) =>
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

/**
 * Returns how many requests the web ACL of a stack allowed or blocked, with all rules or with one.
 * https://docs.aws.amazon.com/waf/latest/developerguide/waf-metrics.html
 */
export function webAclRequests(
  scope: Construct,
  metricName: 'AllowedRequests' | 'BlockedRequests',
  rule: WebAclRule | 'ALL',
): Metric {
  const { stackName, region } = Stack.of(scope);
  return new Metric({
    namespace: 'AWS/WAFV2',
    metricName,
    dimensionsMap: { WebACL: stackName, Region: region, Rule: rule },
    statistic: Stats.SUM,
    label: rule,
  });
}
