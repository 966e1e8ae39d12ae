import { Duration, Stack } from 'aws-cdk-lib';
import {
  Dashboard,
  GraphWidget,
  type HorizontalAnnotation,
  type IMetric,
  LogQueryVisualizationType,
  LogQueryWidget,
  MathExpression,
  Stats,
} from 'aws-cdk-lib/aws-cloudwatch';
import { QueryString } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Operation } from '../../shared/contract/operation.ts';
import { operations } from '../../shared/contract/operations.ts';
import { errorBudget, slowAfterMilliseconds } from '../settings/objectives.ts';
import { operationSettings } from '../settings/operation-settings.ts';
import { burnRates } from './alarms/request-causes.ts';
import { apiMetric, claimedConcurrency, tableThrottles } from './indicators/aws-metrics.ts';
import type { Indicators } from './indicators/indicators.ts';
import type { Watched } from './indicators/watched.ts';

const period = Duration.minutes(1);

/** Adds the dashboard of a stage, which follows a request from the API through the functions to the tables. */
export function addDashboard(scope: Construct, watched: Watched, indicators: Indicators): void {
  const { accessLogs, settings } = watched;
  const functions = Object.values(watched.functions);
  const latency = apiMetric(watched, 'Latency');
  const dashboard = new Dashboard(scope, 'Dashboard', {
    dashboardName: Stack.of(scope).stackName,
    defaultInterval: Duration.hours(3),
  });

  dashboard.addWidgets(
    graph(
      'Requests per minute',
      (['Served', 'Errors', 'Denied', 'Throttled'] as const).map((name) => indicators.metric(name)),
    ),
    graph(
      'Errors per served request: above a line for long, an alarm fires',
      [
        expression('Errors', 'errors / served', {
          errors: indicators.metric('Errors'),
          served: indicators.metric('Served'),
        }),
      ],
      Object.entries(burnRates).map(([name, rate]) => ({
        label: `Burns ${name}`,
        value: rate * errorBudget,
      })),
    ),
    graph(
      'Latency, ms',
      [50, 90, 99].map((p) => latency.with({ statistic: Stats.p(p), label: `p${p}` })),
      [{ label: 'Slow', value: slowAfterMilliseconds }],
    ),
    graph(
      'Invocations per second, with the limits of the methods',
      functions.map(({ node: { id: name }, function: target }) =>
        // Metric ids must be unique in a graph.
        expression(name, `calls${name} / 60`, { [`calls${name}`]: target.metricInvocations() }),
      ),
      Object.entries(operationSettings).map(([label, { throttling }]) => ({
        label,
        value: throttling.rateLimit,
      })),
    ),
    graph(
      'Duration, p99, ms',
      functions.map(({ node, function: target }) =>
        target.metricDuration({ statistic: Stats.p(99), label: node.id }),
      ),
    ),
    graph(
      'Account concurrency',
      [claimedConcurrency()],
      [{ label: 'Limit', value: settings.accountConcurrency }],
    ),
    graph('Throttled reads and writes per minute', watched.tables.flatMap(tableThrottles)),
    ...Object.values<Operation>(operations)
      .filter(({ deprecation }) => deprecation !== undefined)
      .map(
        ({ operationId, method, path }) =>
          new LogQueryWidget({
            title: `Who still calls ${operationId}`,
            view: LogQueryVisualizationType.TABLE,
            width: 8,
            height: 6,
            logGroupNames: [accessLogs.logGroupName],
            queryString: new QueryString({
              filterStatements: [`path = '${path}' and method = '${method}'`, `client != '-'`],
              statsStatements: ['count(*) as calls, latest(time) as lastCall by client, keyId'],
              sort: 'calls desc',
            }).toString(),
          }),
      ),
  );
}

const expression = (label: string, text: string, usingMetrics: Record<string, IMetric>) =>
  new MathExpression({ label, period, expression: text, usingMetrics });

/** Returns a graph, with a horizontal line for each limit. */
const graph = (title: string, left: IMetric[], leftAnnotations: HorizontalAnnotation[] = []) =>
  new GraphWidget({ title, left, leftAnnotations, period, width: 8, height: 6, leftYAxis: { min: 0 } });
