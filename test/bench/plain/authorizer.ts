import { createHash } from 'node:crypto';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayTokenAuthorizerEvent } from 'aws-lambda';
import { documents } from './client.ts';

const TableName = process.env['API_KEYS_TABLE'];

export async function handler({ authorizationToken, methodArn }: APIGatewayTokenAuthorizerEvent) {
  const keyHash = createHash('sha256').update(authorizationToken.replace('Bearer ', '')).digest('hex');
  const { Item } = await documents.send(
    new GetCommand({ TableName, Key: { keyHash }, ConsistentRead: true }),
  );
  const Effect = Item ? 'Allow' : 'Deny';
  const Statement = [{ Action: 'execute-api:Invoke', Effect, Resource: methodArn }];
  return { principalId: keyHash, policyDocument: { Version: '2012-10-17', Statement } };
}
