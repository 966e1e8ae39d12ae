import { Duration, Stack } from 'aws-cdk-lib';
import {
  Dashboard,
  GraphWidget,
  type HorizontalAnnotation,
  type IMetric,
  type IWidget,
  LogQueryVisualizationType,
  LogQueryWidget,
  MathExpression,
  Stats,
  TextWidget,
} from 'aws-cdk-lib/aws-cloudwatch';
import { QueryString, type QueryStringProps } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { getPet } from '../../shared/contract/operations.ts';
import { slowAfterMilliseconds } from '../settings/objectives.ts';
import { operationSettings } from '../settings/operation-settings.ts';
import { burnRates, objectives } from './alarms/burn-rates.ts';
import type { causes } from './alarms/causes.ts';
import { apiMetric, callMetrics, capacityMetrics } from './indicators/aws-metrics.ts';
import type { Indicators } from './indicators/indicators.ts';
import type { Watched } from './indicators/watched.ts';
import { queries, toGetPet } from './queries.ts';

const period = Duration.minutes(1);

/** Adds the dashboard of a stage, which follows a request from top to bottom, one heading per part. */
export function addDashboard(
  scope: Construct,
  watched: Watched,
  indicators: Indicators,
  { ConcurrencyNearLimit, TablesThrottled }: ReturnType<typeof causes>,
): void {
  const { accessLogs, settings } = watched;
  const functions = Object.values(watched.functions);
  const counted = { errors: indicators.metric('Errors'), served: indicators.metric('Served') };
  const latency = apiMetric(watched, 'Latency');
  const dashboard = new Dashboard(scope, 'Dashboard', {
    dashboardName: Stack.of(scope).stackName,
    defaultInterval: Duration.hours(3),
  });
  const addSection = (title: string, text: string, ...widgets: readonly IWidget[]) => {
    dashboard.addWidgets(new TextWidget({ markdown: `## ${title}\n${text}`, width: 24, height: 2 }));
    dashboard.addWidgets(...widgets);
  };
  const query = (title: string, view: LogQueryVisualizationType, props: QueryStringProps) =>
    new LogQueryWidget({
      title,
      view,
      width: 12,
      height: 6,
      queryString: new QueryString(props).toString(),
      logGroupNames: [accessLogs.logGroupName],
    });

  addSection(
    'Requests',
    'What clients experience. Staying above a burn line fires its alarm: docs/runbook.md.',
    graph(
      'Requests per minute',
      (['Served', 'Errors', 'Unauthorized', 'Throttled'] as const).map((name) => indicators.metric(name)),
    ),
    graph(
      'Errors per served request',
      [expression('Errors', 'errors / served', counted)],
      Object.entries(burnRates).map(([name, { rate }]) => ({
        label: `Burns ${name.toLowerCase()}`,
        value: rate * objectives.Availability.budget,
      })),
    ),
    graph(
      'Latency, ms',
      [50, 90, 99].map((p) => latency.with({ statistic: Stats.p(p), label: `p${p}` })),
      [{ label: 'Slow', value: slowAfterMilliseconds }],
    ),
    query('Requests by status', LogQueryVisualizationType.STACKEDAREA, {
      statsStatements: ['count(*) as requests by bin(5m), status'],
    }),
  );
  addSection(
    'Functions',
    'The authorizer runs once per key per minute. Lines show the method and account limits.',
    graph(
      'Invocations per second',
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
    graph('Cold starts per minute, and their duration', [
      indicators.metric('InitDuration', Stats.SAMPLE_COUNT),
      indicators.metric('InitDuration', Stats.p(99)).with({ label: 'p99, ms' }),
    ]),
    graph('Faults and throttles per minute', [
      expression('Faults', `SEARCH('{${indicators.namespace},FunctionVersion} Faults', 'Sum', 60)`),
      ...functions.map(({ node, function: target }) => target.metricThrottles({ label: node.id })),
    ]),
    graph(
      'Account concurrency',
      [ConcurrencyNearLimit.metric],
      [
        { label: 'Near the limit', value: ConcurrencyNearLimit.threshold },
        { label: 'Limit', value: settings.accountConcurrency },
      ],
    ),
  );
  addSection(
    'Tables',
    'A throttled index throttles writes to its table.',
    graph(
      'Capacity units consumed per minute',
      capacityMetrics(watched, 'ConsumedReadCapacityUnits', 'ConsumedWriteCapacityUnits'),
    ),
    graph('Throttled reads and writes per minute', Object.values(TablesThrottled.metric.usingMetrics)),
    graph('Latency, ms', callMetrics(watched, 'SuccessfulRequestLatency', Stats.AVERAGE)),
  );
  addSection(
    'Who still calls getPet',
    `Removal on ${getPet.deprecation.sunset.slice(0, 10)}: contact these clients.`,
    query('By client', LogQueryVisualizationType.TABLE, queries['Who still calls getPet']),
    query('By day', LogQueryVisualizationType.BAR, {
      filterStatements: toGetPet,
      statsStatements: ['count(*) as calls by bin(1d), client'],
    }),
  );
}

const expression = (label: string, text: string, usingMetrics: Record<string, IMetric> = {}) =>
  new MathExpression({ label, period, expression: text, usingMetrics });

/** Returns a graph, with a horizontal line for each limit. */
const graph = (title: string, left: IMetric[], leftAnnotations: HorizontalAnnotation[] = []) =>
  new GraphWidget({ title, left, leftAnnotations, period, width: 8, height: 6, leftYAxis: { min: 0 } });
