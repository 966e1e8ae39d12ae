import type { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it, vi } from 'vitest';
import { readApiKey } from '../../../shared/tables/api-keys-table.ts';

describe('readApiKey', () => {
  it('reads consistently, so that a revocation counts at once', async () => {
    const send = vi.fn(async (_command: GetCommand) => ({ $metadata: {} }));

    const apiKey = await readApiKey({ send }, 'keys', 'abc');

    expect(apiKey).toBeUndefined();
    expect(send.mock.lastCall?.[0].input).toEqual({
      TableName: 'keys',
      Key: { keyHash: 'abc' },
      ConsistentRead: true,
    });
  });
});
