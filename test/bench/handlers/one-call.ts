import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { stringifyJson } from '../../../shared/contract/json.ts';
import { dynamodb } from '../../../shared/lambda/dynamodb.ts';
import { environmentVariable } from '../../../shared/lambda/environment.ts';
import { tables } from '../../../shared/tables/table-definitions.ts';

const TableName = environmentVariable(tables.pets.nameVariable);

const get = (id: bigint) => dynamodb.send(new GetCommand({ TableName, Key: { id }, ConsistentRead: true }));

/** Makes only getPet's call, also during init: no middleware, no schema, no contract. */
export async function handler({
  pathParameters: { petId },
}: {
  pathParameters: { petId: string };
}): Promise<{ statusCode: number; body: string }> {
  const { Item } = await get(BigInt(petId));
  return { statusCode: 200, body: stringifyJson(Item) };
}

await get(0n);
