import { AttributeType, BillingMode, ProjectionType, Table } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
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
    this.pets.addGlobalSecondaryIndex({
      indexName: petsTable.statusIndex.name,
      partitionKey: { name: petsTable.statusIndex.partitionKey, type: AttributeType.STRING },
      sortKey: { name: petsTable.statusIndex.sortKey, type: AttributeType.NUMBER },
      projectionType: ProjectionType.ALL,
    });

    this.apiKeys = new Table(this, 'ApiKeys', {
      ...safety,
      partitionKey: { name: apiKeysTable.partitionKey, type: AttributeType.STRING },
      timeToLiveAttribute: apiKeysTable.timeToLive,
    });
  }
}
