import {
  CreateTableCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceInUseException,
} from '@aws-sdk/client-dynamodb';
import type { Resource } from '../template/read-template.ts';

/** Creates the tables that the template declares, unless they are there already. */
export async function createTables(
  dynamodb: DynamoDBClient,
  tables: readonly Resource<'AWS::DynamoDB::GlobalTable'>[],
): Promise<void> {
  for (const { id: TableName, properties } of tables) {
    const { AttributeDefinitions, BillingMode, GlobalSecondaryIndexes, KeySchema } = properties;
    try {
      await dynamodb.send(
        new CreateTableCommand({
          TableName,
          AttributeDefinitions,
          BillingMode,
          GlobalSecondaryIndexes,
          KeySchema,
        }),
      );
    } catch (error) {
      if (!(error instanceof ResourceInUseException)) throw error;
    }
    await untilActive(dynamodb, TableName);
  }
}

async function untilActive(dynamodb: DynamoDBClient, TableName: string): Promise<void> {
  const { Table } = await dynamodb.send(new DescribeTableCommand({ TableName }));
  if (Table?.TableStatus !== 'ACTIVE') await untilActive(dynamodb, TableName);
}
