import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  DynamoDBDocumentClient,
  type NativeAttributeValue,
  PutCommand,
  ScanCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeEach, vi } from 'vitest';
import { apiKeysOutput } from '../../../../infra/stack-names.ts';
import { exactNumbers } from '../../../../shared/tables/dynamodb.ts';
import { declaredTable } from '../../../../test/support/dynamodb/declared-table.ts';
import { createTables } from '../../../../test/support/setup/create-tables.ts';
import { startDynamodb } from '../../../../test/support/setup/start-dynamodb.ts';
import { operatorClientConfig } from '../../../local-api/template/account.ts';
import { openStage } from '../../stage.ts';

/** The instant of each test, in seconds since 1970. */
export const now = Date.parse('2026-11-20T12:00:00Z') / 1000;
export const day = 24 * 60 * 60;

type Item = Record<string, NativeAttributeValue>;

/** Opens a stage for the tests of a file: each starts without keys and with a stopped clock. */
export async function openTestStage() {
  const stack = { name: 'PetStore-staging', outputs: { [apiKeysOutput]: '' } };
  const { endpoint, port, close } = await startDynamodb(stack);
  const dynamodb = new DynamoDBClient(operatorClientConfig(endpoint));
  const documents = DynamoDBDocumentClient.from(dynamodb, exactNumbers);

  const TableName = randomUUID();
  await createTables(dynamodb, [declaredTable(TableName, { keyHash: 'S' }, ['keyHash'])]);
  stack.outputs[apiKeysOutput] = TableName;
  const items = async () => (await documents.send(new ScanCommand({ TableName }))).Items ?? [];
  const put = (Item: Item) => documents.send(new PutCommand({ TableName, Item }));

  beforeEach(() => {
    vi.useFakeTimers({ now: now * 1000, toFake: ['Date'] });
  });
  afterEach(async () => {
    vi.useRealTimers();
    for (const { keyHash } of await items())
      await documents.send(new DeleteCommand({ TableName, Key: { keyHash } }));
  });
  afterAll(async () => {
    dynamodb.destroy();
    await close();
  });

  return { ...(await openStage({ stage: 'local', port })), port, items, put };
}
