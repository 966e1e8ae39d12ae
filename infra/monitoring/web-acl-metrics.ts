import { Stack } from 'aws-cdk-lib';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { WebAclRule } from '../service/web-acl.ts';

/** Returns how many requests the web ACL of a stack allowed. */
export const allowedRequests = (scope: Construct): Metric => count(scope, 'AllowedRequests', 'ALL');

/** Returns how many requests the web ACL of a stack blocked, with all rules or with one. */
export const blockedRequests = (scope: Construct, rule: WebAclRule | 'ALL' = 'ALL'): Metric =>
  count(scope, 'BlockedRequests', rule);

/** https://docs.aws.amazon.com/waf/latest/developerguide/waf-metrics.html */
function count(scope: Construct, metricName: string, rule: WebAclRule | 'ALL'): Metric {
  const { stackName, region } = Stack.of(scope);
  return new Metric({
    namespace: 'AWS/WAFV2',
    metricName,
    dimensionsMap: { WebACL: stackName, Region: region, Rule: rule },
    statistic: Stats.SUM,
    label: rule,
  });
}
