import { Duration } from 'aws-cdk-lib';
import {
  GraphWidget,
  type HorizontalAnnotation,
  type IMetric,
  MathExpression,
  Metric,
  Stats,
} from 'aws-cdk-lib/aws-cloudwatch';
import { petsTable } from '../../shared/tables/table-definitions.ts';
import type { UsedTable } from '../service/tables.ts';
import { operationSettings } from '../settings/operation-settings.ts';
import { burnRates } from './alarms/burn-rate-alarm.ts';
import { type Indicators, slowAfterMilliseconds } from './indicators/indicators.ts';
import { objectives } from './indicators/objectives.ts';
import type { Watched } from './indicators/watched.ts';

const period = Duration.minutes(1);
const percentiles = [50, 90, 99] as const;

/** The graphs of a stage's dashboard, by the part of the service that they are about. */
export function graphs(watched: Watched, indicators: Indicators) {
  const { apiName, routes, pets, apiKeys, settings } = watched;
  const { accountConcurrency } = settings;
  const authorizer = watched.authorizer.function;
  const functions = routes.map(
    ({ operation, handler }) => [operation.operationId, handler.function] as const,
  );

  return {
    requests: [
      graph('Requests a minute', [
        indicators.metric('Requests'),
        indicators.metric('Errors'),
        indicators.metric('Unauthorized'),
        indicators.metric('Throttled'),
      ]),
      graph(
        'Errors, of what was served',
        [ratio('Errors', indicators)],
        Object.entries(burnRates).map(([name, { rate }]) =>
          line(rate * objectives.Availability.budget, `Burns ${name.toLowerCase()}`),
        ),
      ),
      graph(
        'Latency, ms',
        percentiles.map((p) => api('Latency', apiName, p)),
        [line(slowAfterMilliseconds, 'Slow')],
      ),
    ],
    authorizer: [
      graph('Invocations and faults a minute', [
        authorizer.metricInvocations({ period }),
        indicators.metric('AuthorizerFaults'),
        authorizer.metricThrottles({ period }),
      ]),
      graph(
        'Duration, ms',
        percentiles.map((p) => authorizer.metricDuration({ period, statistic: Stats.p(p), label: `p${p}` })),
      ),
    ],
    functions: [
      graph(
        'Invocations a second',
        functions.map(
          ([label, target]) =>
            new MathExpression({
              label,
              period,
              expression: `${label} / 60`,
              usingMetrics: { [label]: target.metricInvocations() },
            }),
        ),
        Object.entries(operationSettings).map(([name, { throttling }]) => line(throttling.rateLimit, name)),
      ),
      graph(
        'Duration, p99, ms',
        functions.map(([label, target]) => target.metricDuration({ period, statistic: Stats.p(99), label })),
      ),
      graph('Cold starts a minute, and how long they take', [
        indicators.metric('InitDuration', Stats.SAMPLE_COUNT),
        indicators.metric('InitDuration', Stats.p(99)).with({ label: 'p99, ms' }),
      ]),
      graph('Faults and throttles a minute', [
        indicators.metric('Faults'),
        ...functions.map(([label, target]) => target.metricThrottles({ period, label })),
      ]),
      graph(
        'Concurrency of the account',
        [lambda('ClaimedAccountConcurrency')],
        [line(0.8 * accountConcurrency, 'Near the limit'), line(accountConcurrency, 'Limit')],
      ),
    ],
    tables: [
      graph('Capacity units consumed a minute', capacity('Consumed', 'CapacityUnits', pets, apiKeys)),
      graph('Throttled reads and writes a minute', capacity('', 'ThrottleEvents', pets, apiKeys)),
      graph(
        'Latency, ms',
        ['GetItem', 'PutItem', 'Query', 'Scan'].map((Operation) =>
          table('SuccessfulRequestLatency', { TableName: pets.tableName, Operation }, Stats.AVERAGE),
        ),
      ),
    ],
  };
}

const graph = (title: string, left: IMetric[], leftAnnotations: HorizontalAnnotation[] = []) =>
  new GraphWidget({ title, left, leftAnnotations, period, width: 8, height: 6, leftYAxis: { min: 0 } });

const line = (value: number, label: string): HorizontalAnnotation => ({ value, label });

const ratio = (counted: 'Errors' | 'Slow', indicators: Indicators) =>
  new MathExpression({
    label: counted,
    period,
    expression: 'counted / served',
    usingMetrics: { counted: indicators.metric(counted), served: indicators.metric('Served') },
  });

const api = (metricName: string, ApiName: string, p: number) =>
  new Metric({
    namespace: 'AWS/ApiGateway',
    metricName,
    dimensionsMap: { ApiName },
    statistic: Stats.p(p),
    label: `p${p}`,
  });

const lambda = (metricName: string) =>
  new Metric({ namespace: 'AWS/Lambda', metricName, statistic: Stats.MAXIMUM });

const table = (metricName: string, dimensionsMap: Record<string, string>, statistic: string) =>
  new Metric({ namespace: 'AWS/DynamoDB', metricName, dimensionsMap, statistic });

/** Of reads and writes, and of each table and the index, the metric of a name. */
const capacity = (prefix: string, suffix: string, pets: UsedTable, apiKeys: UsedTable) =>
  ['Read', 'Write'].flatMap((kind) =>
    [
      { TableName: pets.tableName },
      { TableName: pets.tableName, GlobalSecondaryIndexName: petsTable.statusIndex.name },
      { TableName: apiKeys.tableName },
    ].map((dimensions) => table(`${prefix}${kind}${suffix}`, dimensions, Stats.SUM)),
  );
