import { dynamodb } from '../../../shared/lambda/dynamodb.ts';
import { environmentVariable } from '../../../shared/lambda/environment.ts';
import { petsTable } from '../../../shared/tables/table-definitions.ts';

const TableName = environmentVariable(petsTable.nameVariable);

/** The call of getPet and nothing else: no middleware, no schema, no contract. */
export async function handler({
  pathParameters: { petId: N },
}: {
  pathParameters: { petId: string };
}): Promise<{ statusCode: number; body: string }> {
  const { Item } = await dynamodb('GetItem', {
    TableName,
    Key: { [petsTable.partitionKey]: { N } },
    ConsistentRead: true,
  });
  return { statusCode: 200, body: JSON.stringify(Item) };
}
