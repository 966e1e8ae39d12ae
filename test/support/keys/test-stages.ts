import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DynamoDBDocumentClient,
  type NativeAttributeValue,
  PutCommand,
  ScanCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { type OpenStage, openStage } from '../../../bin/keys/stage.ts';
import { awsEndpointPath, createAwsEndpoint } from '../../../infra/local/aws-endpoint.ts';
import { createTables } from '../../../infra/local/dynamodb/create-tables.ts';
import { EmbeddedDynamodb } from '../../../infra/local/dynamodb/embedded-dynamodb.ts';
import { readRequest, sendResponse } from '../../../infra/local/http/http.ts';
import { close, listen } from '../../../infra/local/http/listen.ts';
import { operatorAt } from '../../../infra/local/template/account.ts';
import { outputNames } from '../../../infra/settings/stage-names.ts';
import { exactIntegers } from '../../../shared/lambda/exact-integers.ts';
import { apiKeysTable } from '../../../shared/tables/table-definitions.ts';

/** The instant of each test, in seconds since 1970. */
export const now = Date.parse('2026-11-20T12:00:00Z') / 1000;
export const day = 24 * 60 * 60;

type Item = Record<string, NativeAttributeValue>;

/** A stage with no key yet, at the AWS endpoint of a port. */
export interface TestStage extends OpenStage {
  readonly port: number;
  /** What its table holds. */
  items(): Promise<Item[]>;
  /** Makes a table with these items, and gives its name. */
  createTable(items: readonly Item[], partitionKey?: string): Promise<string>;
}

/** Opens a stage for each test of a file, and stops the clock for it. */
export function openTestStages(onOpen: (stage: TestStage) => void): void {
  const embedded = new EmbeddedDynamodb();
  const outputs: Record<string, string> = {};
  const respond = createAwsEndpoint({ name: 'PetStore-staging', outputs }, embedded);
  const server = createServer(async (message, response) => {
    const request = await readRequest(message);
    if (request) sendResponse(response, await respond(request));
  });
  let port: number;
  let dynamodb: DynamoDBClient;
  let documents: DynamoDBDocumentClient;

  async function createTable(items: readonly Item[], AttributeName: string = apiKeysTable.partitionKey) {
    const id = randomUUID();
    const properties = {
      AttributeDefinitions: [{ AttributeName, AttributeType: 'S' as const }],
      BillingMode: 'PAY_PER_REQUEST' as const,
      KeySchema: [{ AttributeName, KeyType: 'HASH' as const }],
    };
    await createTables(dynamodb, [{ id, arn: id, properties }]);
    for (const Item of items) await documents.send(new PutCommand({ TableName: id, Item }));
    return id;
  }

  beforeAll(async () => {
    port = await listen(server);
    dynamodb = new DynamoDBClient(operatorAt(`http://127.0.0.1:${port}${awsEndpointPath}`));
    documents = DynamoDBDocumentClient.from(dynamodb, exactIntegers);
  });
  beforeEach(async () => {
    vi.useFakeTimers({ now: now * 1000, toFake: ['Date'] });
    const TableName = await createTable([]);
    outputs[outputNames.apiKeysTable] = TableName;
    const items = async () => (await documents.send(new ScanCommand({ TableName }))).Items ?? [];
    onOpen({ ...(await openStage({ stage: 'local', port })), port, items, createTable });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  afterAll(async () => {
    dynamodb.destroy();
    await close(server);
    await embedded.close();
  });
}
