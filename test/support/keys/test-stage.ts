import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  DynamoDBDocumentClient,
  type NativeAttributeValue,
  PutCommand,
  ScanCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeEach, vi } from 'vitest';
import { openStage } from '../../../bin/keys/stage.ts';
import { awsEndpointPath, createAwsEndpoint } from '../../../infra/local/aws-endpoint.ts';
import { createTables } from '../../../infra/local/dynamodb/create-tables.ts';
import { EmbeddedDynamodb } from '../../../infra/local/dynamodb/embedded-dynamodb.ts';
import { readRequest, sendResponse } from '../../../infra/local/http/http.ts';
import { close, listen } from '../../../infra/local/http/listen.ts';
import { operatorAt } from '../../../infra/local/template/account.ts';
import { outputNames } from '../../../infra/settings/stage-names.ts';
import { exactIntegers } from '../../../shared/lambda/exact-integers.ts';

/** The instant of each test, in seconds since 1970. */
export const now = Date.parse('2026-11-20T12:00:00Z') / 1000;
export const day = 24 * 60 * 60;

type Item = Record<string, NativeAttributeValue>;

/** Opens a stage for the tests of a file: each starts with no key, and with the clock stopped. */
export async function openTestStage() {
  const embedded = new EmbeddedDynamodb();
  const stack = { name: 'PetStore-staging', outputs: { [outputNames.apiKeysTable]: '' } };
  const respond = createAwsEndpoint(stack, embedded);
  const server = createServer(async (message, response) => {
    const request = await readRequest(message);
    if (request) sendResponse(response, await respond(request));
  });
  const port = await listen(server);
  const dynamodb = new DynamoDBClient(operatorAt(`http://127.0.0.1:${port}${awsEndpointPath}`));
  const documents = DynamoDBDocumentClient.from(dynamodb, exactIntegers);

  /** Creates a table with a partition key of text and these items, and gives its name. */
  async function createTable(AttributeName: string, items: readonly Item[]): Promise<string> {
    const id = randomUUID();
    const AttributeDefinitions = [{ AttributeName, AttributeType: 'S' as const }];
    const KeySchema = [{ AttributeName, KeyType: 'HASH' as const }];
    const properties = { AttributeDefinitions, BillingMode: 'PAY_PER_REQUEST' as const, KeySchema };
    await createTables(dynamodb, [{ id, arn: id, properties }]);
    for (const Item of items) await documents.send(new PutCommand({ TableName: id, Item }));
    return id;
  }
  const TableName = await createTable('keyHash', []);
  stack.outputs[outputNames.apiKeysTable] = TableName;
  /** What the table of the stage holds. */
  const items = async () => (await documents.send(new ScanCommand({ TableName }))).Items ?? [];

  beforeEach(() => {
    vi.useFakeTimers({ now: now * 1000, toFake: ['Date'] });
  });
  afterEach(async () => {
    vi.useRealTimers();
    for (const { keyHash } of await items()) {
      await documents.send(new DeleteCommand({ TableName, Key: { keyHash } }));
    }
  });
  afterAll(async () => {
    dynamodb.destroy();
    await close(server);
    await embedded.close();
  });

  return { ...(await openStage({ stage: 'local', port })), port, items, createTable };
}
