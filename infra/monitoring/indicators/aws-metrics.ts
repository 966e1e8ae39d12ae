import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import {
  authorizerTables,
  type OperationSettings,
  operationSettings,
  type TableActions,
} from '../../settings/operation-settings.ts';
import type { Watched } from './watched.ts';

export const apiMetric = ({ apiName }: Watched, metricName: string): Metric =>
  metric('AWS/ApiGateway', metricName, { ApiName: apiName });

export const accessLogLines = ({ accessLogs }: Watched): Metric =>
  metric('AWS/Logs', 'IncomingLogEvents', { LogGroupName: accessLogs.logGroupName });

/** Returns metrics of each table and index; a throttled index throttles writes to its table. */
export const capacityMetrics = ({ tables }: Watched, ...metricNames: readonly string[]): Metric[] => {
  const parts = tables.flatMap(({ tableName: TableName, indexes }) => [
    { TableName },
    ...Object.keys(indexes).map((name) => ({ TableName, GlobalSecondaryIndexName: name })),
  ]);
  return metricNames.flatMap((name) => parts.map((part) => metric('AWS/DynamoDB', name, part)));
};

/** What each function may do, by table. */
const functionTables: readonly Readonly<Record<string, TableActions>>[] = [
  ...Object.values(operationSettings).map(({ tables }: OperationSettings) => tables),
  authorizerTables,
];

/** Returns a metric of each kind of call that functions make on a table or its indexes. */
export const callMetrics = ({ tables }: Watched, metricName: string, statistic?: string): Metric[] =>
  tables.flatMap(({ id, tableName: TableName }) => {
    const actions = functionTables.flatMap(({ [id]: used = {} }) => Object.values(used).flat());
    return [...new Set(actions)].map((action) => {
      const call = { TableName, Operation: action.replace('dynamodb:', '') };
      return metric('AWS/DynamoDB', metricName, call, statistic);
    });
  });

const metric = (
  namespace: string,
  metricName: string,
  dimensionsMap: Record<string, string>,
  statistic = Stats.SUM,
) => new Metric({ namespace, metricName, dimensionsMap, statistic });
