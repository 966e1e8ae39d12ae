import * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { tables } from '../../shared/service.ts';
import type { Key, TableDefinition } from '../../shared/tables/table.ts';
import type { TableActions } from '../settings/limits-and-permissions.ts';
import type { StageSettings } from '../settings/stages.ts';
import { capitalize, tagsOf } from '../stack-names.ts';

/** A table with its definition. */
export interface DeployedTable extends TableDefinition, Pick<dynamodb.ITableV2, 'tableArn' | 'tableName'> {}

/** Declares the tables of a stage. */
export function declareTables(
  scope: Construct,
  stage: string,
  { hasDeletionProtection, removalPolicy }: StageSettings,
): readonly DeployedTable[] {
  const safety = {
    billing: dynamodb.Billing.onDemand(),
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection: hasDeletionProtection,
    // Retained even if the first deploy fails: a protected table could not be deleted then.
    removalPolicy,
    // CloudFormation does not propagate a stack's tags to tables of this type.
    tags: Object.entries(tagsOf(stage)).map(([key, value]) => ({ key, value })),
  };
  return tables.map((definition: TableDefinition) => {
    const { id, key, indexes, keyTypes, timeToLive } = definition;
    const table = new dynamodb.TableV2(scope, capitalize(id), {
      ...safety,
      ...keySchema(id, key, keyTypes),
      globalSecondaryIndexes: Object.entries(indexes).map(([indexName, indexKey]) => ({
        indexName,
        ...keySchema(id, indexKey, keyTypes),
        // DynamoDB can't change a deployed index's projection: with ALL, a new field needs no new index.
        projectionType: dynamodb.ProjectionType.ALL,
      })),
      ...(timeToLive !== undefined && { timeToLiveAttribute: timeToLive }),
    });
    // By default, the id depends on the place of the construct, and a new id means a new, empty table.
    const { defaultChild } = table.node;
    if (!(defaultChild instanceof dynamodb.CfnGlobalTable)) {
      throw new Error('The CDK declares a table differently.');
    }
    defaultChild.overrideLogicalId(`Tables${capitalize(id)}`);
    return { ...definition, tableArn: table.tableArn, tableName: table.tableName };
  });
}

/** Returns the permissions and the environment variables with which a function performs these actions. */
export function connectTo(
  deployed: readonly DeployedTable[],
  actionsById: Readonly<Record<string, TableActions>>,
) {
  const connected = deployed.flatMap((table) => {
    const allowed = actionsById[table.id];
    return allowed ? [{ ...table, onTable: allowed.table ?? [], onIndexes: allowed.index ?? [] }] : [];
  });
  return {
    permissions: connected.flatMap(({ tableArn, indexes, onTable, onIndexes }) => [
      { actions: onTable, resource: tableArn },
      // All indexes: while a release changes the queried one, the previous version queries the old one.
      ...Object.keys(indexes).map((name) => ({ actions: onIndexes, resource: `${tableArn}/index/${name}` })),
    ]),
    variables: Object.fromEntries(connected.map(({ nameVariable, tableName }) => [nameVariable, tableName])),
  };
}

function keySchema(id: string, { partition, sort }: Key, keyTypes: TableDefinition['keyTypes']) {
  const types = { N: dynamodb.AttributeType.NUMBER, S: dynamodb.AttributeType.STRING };
  const attribute = (name: string) => {
    const type = keyTypes[name];
    if (!type) throw new Error(`keyTypes of the table ${id} lacks ${name}, which is part of a key.`);
    return { name, type: types[type] };
  };
  return { partitionKey: attribute(partition), ...(sort !== undefined && { sortKey: attribute(sort) }) };
}
