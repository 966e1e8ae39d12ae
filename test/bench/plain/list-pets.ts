import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { documents } from './client.ts';

const TableName = process.env['PETS_TABLE'];

export async function handler({ queryStringParameters }: APIGatewayProxyEvent) {
  const query = new QueryCommand({
    TableName,
    IndexName: 'byStatus',
    Limit: 21,
    KeyConditionExpression: '#status = :status',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ':status': queryStringParameters?.['status'] },
  });
  const { Items = [] } = await documents.send(query);
  return { statusCode: 200, body: JSON.stringify(Items.slice(0, 20)) };
}
