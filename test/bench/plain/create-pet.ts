import { randomInt } from 'node:crypto';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { documents } from './client.ts';

const TableName = process.env['PETS_TABLE'];

export async function handler({ body }: APIGatewayProxyEvent) {
  const Item = { status: 'available', ...JSON.parse(body ?? ''), id: randomInt(2 ** 47) };
  await documents.send(new PutCommand({ TableName, Item, ConditionExpression: 'attribute_not_exists(id)' }));
  return { statusCode: 201, body: JSON.stringify(Item) };
}
