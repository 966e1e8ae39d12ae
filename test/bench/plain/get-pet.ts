import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { documents } from './client.ts';

const TableName = process.env['PETS_TABLE'];

export async function handler({ pathParameters }: APIGatewayProxyEvent) {
  const Key = { id: Number(pathParameters?.['petId']) };
  const { Item } = await documents.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
  return { statusCode: Item ? 200 : 404, body: JSON.stringify(Item) };
}
