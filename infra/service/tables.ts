import {
  AttributeType,
  Billing,
  type ITableV2,
  ProjectionType,
  type TablePropsV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { examplePet } from '../../shared/contract/operations.ts';
import type { Pet } from '../../shared/contract/schemas/pet.ts';
import { apiKeysTable, petsTable } from '../../shared/tables/table-definitions.ts';
import type { StageSettings } from '../settings/stages.ts';

/** A table, declared here or imported by name. */
export type UsedTable = Pick<ITableV2, 'tableArn' | 'tableName'>;

/** Declares the tables of a stage: the pets, with an index by status, and the hashes of the API keys. */
export function declareTables(
  scope: Construct,
  { hasDeletionProtection, removalPolicy, restoredTables }: StageSettings,
  tags: Readonly<Record<string, string>>,
) {
  const safety = {
    billing: Billing.onDemand(),
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    deletionProtection: hasDeletionProtection,
    // Retained even if the first deploy fails: a protected table could not be deleted then.
    removalPolicy,
    // CloudFormation does not propagate a stack's tags to tables of this type.
    tags: Object.entries(tags).map(([key, value]) => ({ key, value })),
  };

  /** Declares a table, unless one that was restored outside the stack replaces it. */
  const table = (id: string, name: 'apiKeys' | 'pets', props: TablePropsV2): UsedTable => {
    const restored = restoredTables?.[name];
    if (restored !== undefined) return TableV2.fromTableName(scope, `Restored${id}`, restored);
    return new TableV2(scope, id, { ...safety, ...props });
  };

  const pets = table('Pets', 'pets', {
    partitionKey: attribute(petsTable.partitionKey),
    globalSecondaryIndexes: petsTable.indexes.map(({ name, partitionKey, sortKey }) => ({
      indexName: name,
      partitionKey: attribute(partitionKey),
      sortKey: attribute(sortKey),
      // DynamoDB can't change a deployed index's projection: with ALL, a new field needs no new index.
      projectionType: ProjectionType.ALL,
    })),
  });
  const apiKeys = table('ApiKeys', 'apiKeys', {
    partitionKey: { name: apiKeysTable.partitionKey, type: AttributeType.STRING },
    timeToLiveAttribute: apiKeysTable.timeToLive,
  });
  return { pets, apiKeys };
}

/** Returns a pet's field as a key attribute. DynamoDB rejects an item whose attribute has another type. */
const attribute = (name: keyof Pet) => ({
  name,
  type: typeof examplePet[name] === 'string' ? AttributeType.STRING : AttributeType.NUMBER,
});
