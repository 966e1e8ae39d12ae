import { CreateTableCommand, type DynamoDBClient, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import type { Resource } from '../../../bin/local-api/template/read-template.ts';

export async function createTables(
  client: DynamoDBClient,
  tables: readonly Resource<'AWS::DynamoDB::GlobalTable'>[],
): Promise<void> {
  for (const { id: TableName, properties } of tables) {
    const { AttributeDefinitions, BillingMode, GlobalSecondaryIndexes, KeySchema } = properties;
    const declared = { AttributeDefinitions, BillingMode, GlobalSecondaryIndexes, KeySchema };
    await client.send(new CreateTableCommand({ TableName, ...declared }));
    await waitUntilTableExists({ client, maxWaitTime: 10, minDelay: 0.01 }, { TableName });
  }
}
