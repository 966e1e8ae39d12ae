import { AttributeType, BillingMode, ProjectionType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { Pet } from '../shared/contract/pet.ts';
import { apiKeysTable, petsTable } from '../shared/tables/table-definitions.ts';
import type { StageSettings } from './stages.ts';

/** The tables of a stage: the pets, with an index by status, and the hashes of the API keys. */
export class Tables extends Construct {
  readonly pets: Table;
  readonly apiKeys: Table;

  constructor(scope: Construct, id: string, { hasDeletionProtection, removalPolicy }: StageSettings) {
    super(scope, id);

    const safety = {
      billingMode: BillingMode.PAY_PER_REQUEST,
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: hasDeletionProtection,
      removalPolicy,
    };

    this.pets = new Table(this, 'Pets', {
      ...safety,
      partitionKey: { name: petsTable.partitionKey, type: AttributeType.NUMBER },
    });
    const { name, partitionKey, sortKey } = petsTable.statusIndex;
    const keys: readonly string[] = [partitionKey, sortKey];
    this.pets.addGlobalSecondaryIndex({
      indexName: name,
      partitionKey: { name: partitionKey, type: AttributeType.STRING },
      sortKey: { name: sortKey, type: AttributeType.NUMBER },
      // DynamoDB can't change what an index projects: for a field that is added to a deployed table it takes another index.
      projectionType: ProjectionType.INCLUDE,
      nonKeyAttributes: Object.keys(Pet.entries).filter((field) => !keys.includes(field)),
    });

    this.apiKeys = new Table(this, 'ApiKeys', {
      ...safety,
      partitionKey: { name: apiKeysTable.partitionKey, type: AttributeType.STRING },
      timeToLiveAttribute: apiKeysTable.timeToLive,
    });
  }
}
