import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { environmentVariable } from '../../../shared/lambda/environment.ts';
import { petsTable } from '../../../shared/tables/table-definitions.ts';

const client = new DynamoDBClient();
const TableName = environmentVariable(petsTable.nameVariable);

/** The call of getPet through the AWS SDK and nothing else. */
export async function handler({
  pathParameters: { petId: N },
}: {
  pathParameters: { petId: string };
}): Promise<{ statusCode: number; body: string }> {
  const { Item } = await client.send(
    new GetItemCommand({ TableName, Key: { [petsTable.partitionKey]: { N } }, ConsistentRead: true }),
  );
  return { statusCode: 200, body: JSON.stringify(Item) };
}
