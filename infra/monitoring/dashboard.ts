import { Duration, Stack } from 'aws-cdk-lib';
import {
  Dashboard,
  GraphWidget,
  type HorizontalAnnotation,
  type IMetric,
  LogQueryWidget,
  Stats,
} from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { Operation } from '../../shared/contract/operation.ts';
import { operations } from '../../shared/contract/operations.ts';
import { errorBudget, slowAfterMilliseconds } from '../settings/objectives.ts';
import { burnRates } from './alarms/request-causes.ts';
import { claimedConcurrency, tableThrottles } from './indicators/aws-metrics.ts';
import type { Indicators, Watched } from './indicators/indicators.ts';

const period = Duration.minutes(1);
const size = { width: 8, height: 6 };

/** Adds the dashboard of a stage, which follows a request from the API through the functions to the tables. */
export function addDashboard(scope: Construct, watched: Watched, indicators: Indicators): void {
  const { restApi, accessLogs } = watched.api;
  const counted = ['Served', 'Errors', 'Denied', 'Throttled'] as const;
  const burns = Object.entries(burnRates).map(([label, rate]) => ({ label, value: rate * errorBudget }));
  const { accountConcurrency } = watched.settings;
  const deprecated = Object.values<Operation>(operations).filter(({ deprecation }) => deprecation);

  new Dashboard(scope, 'Dashboard', {
    dashboardName: Stack.of(scope).stackName,
    defaultInterval: Duration.hours(3),
  }).addWidgets(
    graph(
      'Requests per minute',
      counted.map((name) => indicators.metric(name)),
    ),
    graph('Errors per served request', [indicators.share('Errors', 1, 1)], burns),
    graph(
      'Latency, ms',
      [50, 90, 99].map((p) => restApi.metricLatency({ statistic: Stats.p(p), label: `p${p}` })),
      [{ label: 'Slow', value: slowAfterMilliseconds }],
    ),
    graph(
      'Duration, p99, ms',
      watched.functions.map(({ node, function: target }) =>
        target.metricDuration({ statistic: Stats.p(99), label: node.id }),
      ),
    ),
    graph('Account concurrency', [claimedConcurrency()], [{ label: 'Limit', value: accountConcurrency }]),
    graph('Throttled reads and writes per minute', watched.tables.flatMap(tableThrottles)),
    ...deprecated.map(
      ({ operationId, method, path }) =>
        new LogQueryWidget({
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

/** Returns a graph, with a horizontal line for each limit. */
const graph = (title: string, left: IMetric[], leftAnnotations: HorizontalAnnotation[] = []) =>
  new GraphWidget({ title, left, leftAnnotations, period, ...size, leftYAxis: { min: 0 } });
