import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { petsTable } from '../../../shared/tables/table-definitions.ts';
import { operationSettings } from '../../settings/operation-settings.ts';
import type { Watched } from './watched.ts';

/** The calls that functions make on the table of pets, as DynamoDB's metrics name them. */
const petCalls = Object.values(operationSettings)
  .flatMap(({ permissions }) => Object.values(permissions).flat())
  .map((action) => action.replace('dynamodb:', ''));

/** Returns metrics of each table and index; a throttled index throttles writes to its table. */
export const capacityMetrics = ({ pets, apiKeys }: Watched, ...metricNames: readonly string[]): Metric[] =>
  metricNames.flatMap((metricName) =>
    [
      { TableName: pets.tableName },
      ...petsTable.indexes.map(({ name }) => ({
        TableName: pets.tableName,
        GlobalSecondaryIndexName: name,
      })),
      { TableName: apiKeys.tableName },
    ].map((dimensions) => tableMetric(metricName, dimensions)),
  );

/** Returns a metric of each kind of call on the table of pets. */
export const petCallMetrics = ({ pets }: Watched, metricName: string, statistic?: string): Metric[] =>
  petCalls.map((Operation) => tableMetric(metricName, { TableName: pets.tableName, Operation }, statistic));

/** Returns a metric of the authorizer's one kind of call. */
export const keyCallMetric = ({ apiKeys }: Watched, metricName: string): Metric =>
  tableMetric(metricName, { TableName: apiKeys.tableName, Operation: 'GetItem' });

const tableMetric = (metricName: string, dimensionsMap: Record<string, string>, statistic = Stats.SUM) =>
  new Metric({ namespace: 'AWS/DynamoDB', metricName, dimensionsMap, statistic });
