import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { petsTable } from '../../../shared/tables/table-definitions.ts';
import { operationSettings } from '../../settings/operation-settings.ts';
import type { Watched } from './watched.ts';

export const apiMetric = ({ apiName }: Watched, metricName: string): Metric =>
  metric('AWS/ApiGateway', metricName, { ApiName: apiName });

export const accessLogLines = ({ accessLogs }: Watched): Metric =>
  metric('AWS/Logs', 'IncomingLogEvents', { LogGroupName: accessLogs.logGroupName });

/** Returns metrics of each table and index; a throttled index throttles writes to its table. */
export const capacityMetrics = ({ pets, apiKeys }: Watched, ...metricNames: readonly string[]): Metric[] => {
  const { tableName: TableName } = pets;
  const parts = [
    { TableName },
    ...petsTable.indexes.map(({ name }) => ({ TableName, GlobalSecondaryIndexName: name })),
    { TableName: apiKeys.tableName },
  ];
  return metricNames.flatMap((name) => parts.map((part) => metric('AWS/DynamoDB', name, part)));
};

/** The calls that functions make on the table of pets, as DynamoDB's metrics name them. */
const petCalls = Object.values(operationSettings)
  .flatMap(({ permissions }) => Object.values(permissions).flat())
  .map((action) => action.replace('dynamodb:', ''));

/** Returns a metric of each kind of call on the tables: the authorizer makes only one. */
export const callMetrics = ({ pets, apiKeys }: Watched, metricName: string, statistic?: string): Metric[] =>
  [
    ...petCalls.map((Operation) => ({ TableName: pets.tableName, Operation })),
    { TableName: apiKeys.tableName, Operation: 'GetItem' },
  ].map((call) => metric('AWS/DynamoDB', metricName, call, statistic));

const metric = (
  namespace: string,
  metricName: string,
  dimensionsMap: Record<string, string>,
  statistic = Stats.SUM,
) => new Metric({ namespace, metricName, dimensionsMap, statistic });
