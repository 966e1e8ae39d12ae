import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { readApiKey } from '../../shared/api-keys-table.ts';
import { answerJson, startStubDynamodb } from './stub-dynamodb.ts';

describe('readApiKey', () => {
  it('reads consistently, so that a revocation counts at once', async () => {
    const calls: unknown[] = [];
    await using stub = await startStubDynamodb(({ body }, response) => {
      calls.push(JSON.parse(body));
      answerJson(response, 200, {});
    });
    const dynamodb = new DynamoDBClient({ endpoint: stub.endpoint });

    const apiKey = await readApiKey(dynamodb, 'keys', 'abc');

    dynamodb.destroy();
    expect(apiKey).toBeUndefined();
    expect(calls).toEqual([{ TableName: 'keys', Key: { keyHash: { S: 'abc' } }, ConsistentRead: true }]);
  });
});
