import { AttributeType, Billing, type ITableV2, ProjectionType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { Pet } from '../../shared/contract/schemas/pet.ts';
import { apiKeysTable, petsTable } from '../../shared/tables/table-definitions.ts';
import type { StageSettings } from '../settings/stages.ts';

type TableSettings = Pick<
  StageSettings,
  'adoptedTables' | 'hasDeletionProtection' | 'removalPolicy' | 'restoredTables'
>;

/** A table as functions use it, whoever declares it. */
export type UsedTable = Pick<ITableV2, 'tableArn' | 'tableName'>;

/** The tables of a stage: the pets, with an index by status, and the hashes of the API keys. */
export class Tables extends Construct {
  readonly pets: UsedTable;
  readonly apiKeys: UsedTable;

  constructor(
    scope: Construct,
    id: string,
    settings: TableSettings,
    tags: Readonly<Record<string, string>> = {},
  ) {
    super(scope, id);
    const { adoptedTables, hasDeletionProtection, removalPolicy, restoredTables } = settings;

    const safety = {
      billing: Billing.onDemand(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: hasDeletionProtection,
      // Retained even by a first deploy that fails: a table that is protected could not be deleted then.
      removalPolicy,
      // CloudFormation does not hand a stack's tags on to tables of this type.
      tags: Object.entries(tags).map(([key, value]) => ({ key, value })),
    };

    const { name, partitionKey, sortKey } = petsTable.statusIndex;
    const keys: readonly string[] = [partitionKey, sortKey];
    this.pets =
      this.#restored('Pets', restoredTables?.pets, [name]) ??
      new TableV2(this, 'Pets', {
        ...safety,
        ...named(adoptedTables?.pets),
        partitionKey: { name: petsTable.partitionKey, type: AttributeType.NUMBER },
        globalSecondaryIndexes: [
          {
            indexName: name,
            partitionKey: { name: partitionKey, type: AttributeType.STRING },
            sortKey: { name: sortKey, type: AttributeType.NUMBER },
            // DynamoDB can't change what an index projects: for a field that is added to a deployed table it takes another index.
            projectionType: ProjectionType.INCLUDE,
            nonKeyAttributes: Object.keys(Pet.entries).filter((field) => !keys.includes(field)),
          },
        ],
      });

    this.apiKeys =
      this.#restored('ApiKeys', restoredTables?.apiKeys) ??
      new TableV2(this, 'ApiKeys', {
        ...safety,
        ...named(adoptedTables?.apiKeys),
        partitionKey: { name: apiKeysTable.partitionKey, type: AttributeType.STRING },
        timeToLiveAttribute: apiKeysTable.timeToLive,
      });
  }

  /** A table that was restored beside the stack, by its name. */
  #restored(id: string, tableName: string | undefined, globalIndexes: string[] = []): UsedTable | undefined {
    return tableName === undefined
      ? undefined
      : TableV2.fromTableAttributes(this, `Restored${id}`, { tableName, globalIndexes });
  }
}

const named = (tableName: string | undefined) => (tableName === undefined ? {} : { tableName });
