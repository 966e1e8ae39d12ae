import { Duration } from 'aws-cdk-lib';
import { GraphWidget, type IMetric, MathExpression, Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { operationSettings } from '../settings/operation-settings.ts';
import { burnRates, objectives } from './alarms/burn-rates.ts';
import type { causes } from './alarms/causes.ts';
import { type Indicators, slowAfterMilliseconds } from './indicators/indicators.ts';
import { capacityMetrics, petCallMetrics } from './indicators/table-metrics.ts';
import { functionsOf, type Watched } from './indicators/watched.ts';

const period = Duration.minutes(1);

/** Returns the graphs of a stage's dashboard, by the part of the service that they show. */
export function graphs(watched: Watched, indicators: Indicators, alarmed: ReturnType<typeof causes>) {
  const { apiName, settings } = watched;
  const functions = functionsOf(watched);
  const { ConcurrencyNearLimit, TablesThrottled } = alarmed;
  const latency = new Metric({
    namespace: 'AWS/ApiGateway',
    metricName: 'Latency',
    dimensionsMap: { ApiName: apiName },
  });

  return {
    requests: [
      graph(
        'Requests per minute',
        (['Served', 'Errors', 'Unauthorized', 'Throttled'] as const).map((name) => indicators.metric(name)),
      ),
      graph(
        'Errors per served request',
        [
          expression('Errors', 'errors / served', {
            errors: indicators.metric('Errors'),
            served: indicators.metric('Served'),
          }),
        ],
        Object.fromEntries(
          Object.entries(burnRates).map(([name, { rate }]) => [
            `Burns ${name.toLowerCase()}`,
            rate * objectives.Availability.budget,
          ]),
        ),
      ),
      graph(
        'Latency, ms',
        [50, 90, 99].map((p) => latency.with({ statistic: Stats.p(p), label: `p${p}` })),
        { Slow: slowAfterMilliseconds },
      ),
    ],
    functions: [
      graph(
        'Invocations per second',
        functions.map(({ node: { id }, function: target }) =>
          // Ids of metrics are unique in a graph.
          expression(id, `calls${id} / 60`, { [`calls${id}`]: target.metricInvocations() }),
        ),
        Object.fromEntries(
          Object.entries(operationSettings).map(([name, { throttling }]) => [name, throttling.rateLimit]),
        ),
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
      graph('Concurrency of the account', [ConcurrencyNearLimit.metric], {
        'Near the limit': ConcurrencyNearLimit.threshold,
        Limit: settings.accountConcurrency,
      }),
    ],
    tables: [
      graph(
        'Capacity units consumed per minute',
        capacityMetrics(watched, 'ConsumedReadCapacityUnits', 'ConsumedWriteCapacityUnits'),
      ),
      graph('Throttled reads and writes per minute', Object.values(TablesThrottled.metric.usingMetrics)),
      graph('Latency, ms', petCallMetrics(watched, 'SuccessfulRequestLatency', Stats.AVERAGE)),
    ],
  };
}

const expression = (label: string, text: string, usingMetrics: Record<string, IMetric> = {}) =>
  new MathExpression({ label, period, expression: text, usingMetrics });

/** Returns a graph, with a horizontal line for each limit. */
const graph = (title: string, left: IMetric[], limits: Readonly<Record<string, number>> = {}) =>
  new GraphWidget({
    title,
    left,
    leftAnnotations: Object.entries(limits).map(([label, value]) => ({ label, value })),
    period,
    width: 8,
    height: 6,
    leftYAxis: { min: 0 },
  });
