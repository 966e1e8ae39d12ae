import { Duration, Stack } from 'aws-cdk-lib';
import * as cloudwatch from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { Operation } from '../../shared/contract/operation.ts';
import { operations } from '../../shared/contract/operations.ts';
import { type Indicators, throttles, type Watched } from './indicators.ts';

const period = Duration.minutes(1);
const size = { width: 8, height: 6 };

/** Adds the dashboard of a stage. */
export function addDashboard(scope: Construct, watched: Watched, indicators: Indicators): void {
  const { restApi, accessLogs } = watched.api;
  const deprecated = Object.values<Operation>(operations).filter(({ deprecation }) => deprecation);

  new cloudwatch.Dashboard(scope, 'Dashboard', {
    dashboardName: Stack.of(scope).stackName,
    defaultInterval: Duration.hours(3),
  }).addWidgets(
    graph(
      'Requests per minute',
      ['Served', 'Errors', 'Denied', 'Throttled'].map((name) => indicators.metric(name)),
    ),
    graph('Errors per served request', [indicators.share('Errors', 1, 1)]),
    graph(
      'Latency, ms',
      [50, 90, 99].map((p) => restApi.metricLatency({ statistic: cloudwatch.Stats.p(p), label: `p${p}` })),
    ),
    graph('Throttled reads and writes per minute', watched.tables.map(throttles)),
    ...deprecated.map(
      ({ operationId, method, path }) =>
        new cloudwatch.LogQueryWidget({
          title: `Who still calls ${operationId}`,
          ...size,
          logGroupNames: [accessLogs.logGroupName],
          queryLines: [
            `filter path = '${path}' and method = '${method}' and client != '-'`,
            'stats count(*) as calls, latest(time) as lastCall by client, keyId',
            'sort calls desc',
          ],
        }),
    ),
  );
}

const graph = (title: string, left: cloudwatch.IMetric[]) =>
  new cloudwatch.GraphWidget({ title, left, period, ...size, leftYAxis: { min: 0 } });
