import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type { ILogGroup } from 'aws-cdk-lib/aws-logs';
import { Duration, Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { Operation } from '../../shared/contract/operation.ts';
import { operations } from '../../shared/service.ts';
import { webAclRules } from '../service/web-acl.ts';
import type { Indicators, Watched } from './indicators.ts';
import { access } from './queries.ts';
import { throttles, webAclRequests } from './resource-metrics.ts';

const period = Duration.minutes(1);
const size = { width: 8, height: 6 };

/** Adds the dashboard of a stage. Durations, crashes and concurrency are in CloudWatch's own one of Lambda. */
export function addDashboard(
  scope: Construct,
  watched: Watched,
  indicators: Indicators,
  alarms: cloudwatch.IAlarm[] = [],
): void {
  const { settings, api, functions, tables } = watched;
  const dashboard = new cloudwatch.Dashboard(scope, 'Dashboard', {
    dashboardName: Stack.of(scope).stackName,
    defaultInterval: Duration.hours(3),
  });

  // A release moves requests from one version of a function to the next.
  const names = functions.map(({ function: target }) => `"${target.functionName}"`).join(' OR ');
  const search = `{AWS/Lambda,ExecutedVersion,FunctionName,Resource} MetricName="Invocations" FunctionName=(${names})`;
  const releases = new cloudwatch.MathExpression({ expression: `SEARCH('${search}', 'Sum', 60)`, label: '' });
  dashboard.addWidgets(
    ...(alarms.length > 0 ? [new cloudwatch.AlarmStatusWidget({ title: 'Alarms', alarms, ...size })] : []),
    graph('Releases: requests to each version of a function per minute', [releases]),
  );

  const latency = (p: number) =>
    api.restApi.metricLatency({ statistic: cloudwatch.Stats.p(p), label: `p${p}` });
  dashboard.addWidgets(
    graph('Requests per minute', [
      indicators.requests('Served'),
      indicators.requests('Errors'),
      indicators.requests('Denied'),
      indicators.requests('Throttled'),
    ]),
    graph('Errors per served request', [indicators.share('Errors', { atLeast: 1, minutes: 1 })]),
    graph('Latency, ms', [latency(50), latency(90), latency(99)]),
  );

  const others: cloudwatch.IWidget[] = [
    graph('Throttled reads and writes per minute', tables.map(throttles)),
  ];
  if (settings.fairUse) {
    const blocked = webAclRules.map((rule) => webAclRequests(scope, 'BlockedRequests', rule));
    others.push(graph('Blocked by each rule of the web ACL per minute', blocked));
  }
  for (const operation of Object.values<Operation>(operations)) {
    if (operation.deprecation) others.push(whoStillCalls(operation, api.accessLogs));
  }
  dashboard.addWidgets(...others);
}

const whoStillCalls = ({ operationId, method, path }: Operation, accessLogs: ILogGroup) =>
  new cloudwatch.LogQueryWidget({
    title: `Who still calls ${operationId}`,
    ...size,
    logGroupNames: [accessLogs.logGroupName],
    queryLines: [
      `filter ${access('path')} = '${path}' and ${access('method')} = '${method}' and ${access('client')} != '-'`,
      `stats count(*) as calls, latest(${access('time')}) as lastCall by ${access('client', 'keyId')}`,
      'sort calls desc',
    ],
  });

const graph = (title: string, left: cloudwatch.IMetric[]) =>
  new cloudwatch.GraphWidget({ title, left, period, ...size, leftYAxis: { min: 0 } });
