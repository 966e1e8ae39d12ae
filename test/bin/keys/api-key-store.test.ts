import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { OperatorError } from '../../../bin/keys/operator-error.ts';
import { apiKeyHash } from '../../../shared/contract/api-key.ts';
import { now, openTestStage } from '../../support/keys/test-stage.ts';

const stage = await openTestStage();

it('the end of a key does not bring it back when it is gone', async () => {
  const gone = { keyHash: apiKeyHash('gone'), client: 'acme', createdAt: now };

  await expect(stage.keys.revoke(gone, now)).rejects.toThrow(ConditionalCheckFailedException);
  expect(await stage.items()).toStrictEqual([]);
});

it('the list of keys goes on over all pages of a table', async () => {
  const note = 'x'.repeat(300 * 1024);
  for (let count = 0; count < 5; count += 1) await stage.keys.issue({ client: 'acme', note });

  expect(await stage.keys.list()).toHaveLength(5);
});

it('the list of keys is not that of a table of something else', async () => {
  const table = await stage.createTable('id', [{ id: '1' }]);

  await expect(stage.keysOf(table).list()).rejects.toThrow(
    new OperatorError(`The table ${table} holds no API keys: give the name of one that does.`),
  );
});
