import { describe, expect, it } from 'vitest';
import { readApiKey } from '../../../shared/tables/api-keys-table.ts';

describe('readApiKey', () => {
  it('reads consistently, so that a revocation counts at once', async () => {
    const inputs: unknown[] = [];
    const getItem = async (input: object) => {
      inputs.push(input);
      return {};
    };

    const apiKey = await readApiKey(getItem, 'keys', 'abc');

    expect(apiKey).toBeUndefined();
    expect(inputs).toEqual([{ TableName: 'keys', Key: { keyHash: { S: 'abc' } }, ConsistentRead: true }]);
  });
});
