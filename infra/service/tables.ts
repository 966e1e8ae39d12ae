import * as dynamodb from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { type Key, type TableDefinition, tables } from '../../shared/tables/table-definitions.ts';
import type { TableActions } from '../settings/operation-settings.ts';
import { capitalize, tagsOf } from '../settings/stage-names.ts';
import type { StageSettings } from '../settings/stages.ts';

/** A table with its definition, declared here or imported by name. */
export interface UsedTable extends TableDefinition, Pick<dynamodb.ITableV2, 'tableArn' | 'tableName'> {
  readonly id: string;
}

/** Declares each table of a stage, unless one that was restored outside the stack replaces it. */
export function declareTables(
  scope: Construct,
  stage: string,
  { hasDeletionProtection, removalPolicy, restoredTables = {} }: StageSettings,
): readonly UsedTable[] {
  const safety = {
    billing: dynamodb.Billing.onDemand(),
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection: hasDeletionProtection,
    // Retained even if the first deploy fails: a protected table could not be deleted then.
    removalPolicy,
    // CloudFormation does not propagate a stack's tags to tables of this type.
    tags: Object.entries(tagsOf(stage)).map(([key, value]) => ({ key, value })),
  };
  const declare = (id: string, { key, indexes, timeToLive }: TableDefinition) =>
    new dynamodb.TableV2(scope, id, {
      ...safety,
      ...keySchema(key),
      globalSecondaryIndexes: Object.entries(indexes).map(([indexName, indexKey]) => ({
        indexName,
        ...keySchema(indexKey),
        // DynamoDB can't change a deployed index's projection: with ALL, a new field needs no new index.
        projectionType: dynamodb.ProjectionType.ALL,
      })),
      ...(timeToLive !== undefined && { timeToLiveAttribute: timeToLive }),
    });

  const restoredNames: Readonly<Record<string, string>> = restoredTables;
  return Object.entries(tables).map(([id, definition]) => {
    const restored = restoredNames[id];
    const { tableArn, tableName } =
      restored === undefined
        ? declare(capitalize(id), definition)
        : dynamodb.TableV2.fromTableName(scope, `Restored${capitalize(id)}`, restored);
    return { id, ...definition, tableArn, tableName };
  });
}

/** Returns the permissions and the environment of a function that performs these actions. */
export function accessTo(
  usedTables: readonly UsedTable[],
  actionsById: Readonly<Record<string, TableActions>>,
) {
  const accessed = usedTables.flatMap((table) => {
    const actions = actionsById[table.id];
    return actions ? [{ ...table, actions }] : [];
  });
  return {
    permissions: accessed.flatMap(({ tableArn, indexes, actions: { table = [], index = [] } }) => [
      { actions: table, resource: tableArn },
      // All indexes: while a release changes the queried one, the previous version queries the old one.
      ...Object.keys(indexes).map((name) => ({ actions: index, resource: `${tableArn}/index/${name}` })),
    ]),
    environment: Object.fromEntries(accessed.map(({ nameVariable, tableName }) => [nameVariable, tableName])),
  };
}

function keySchema(key: Key) {
  const types = { N: dynamodb.AttributeType.NUMBER, S: dynamodb.AttributeType.STRING };
  const [partitionKey, sortKey] = Object.entries(key).map(([name, type]) => ({ name, type: types[type] }));
  if (!partitionKey) throw new Error('A table and an index need a partition key.');
  return { partitionKey, ...(sortKey && { sortKey }) };
}
