import { randomUUID } from 'node:crypto';
import { CreateTableCommand, DynamoDBClient, waitUntilTableExists } from '@aws-sdk/client-dynamodb';
import {
  DynamoDBDocumentClient,
  type NativeAttributeValue,
  PutCommand,
  ScanCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { ApiKeyStore } from '../../../bin/keys/api-key-store.ts';
import type { OpenStage } from '../../../bin/keys/stage.ts';
import { operatorArn, operatorAt } from '../../../infra/local/template/account.ts';
import { exactIntegers } from '../../../shared/lambda/exact-integers.ts';
import { apiKeysTable, petsTable } from '../../../shared/tables/table-definitions.ts';
import { startDynamodb } from '../setup/start-dynamodb.ts';

/** A stage with no key yet, and what its table holds. */
export interface TestStage extends OpenStage {
  items(): Promise<Record<string, NativeAttributeValue>[]>;
  put(item: Record<string, NativeAttributeValue>): Promise<void>;
  /** Makes a table of something else, and gives its name. */
  otherTable(): Promise<string>;
  /** Another stage whose keys are those that this one has now: as a table that was restored. */
  copy(): Promise<TestStage>;
}

/** Opens a stage for each test of a file, and stops the clock for it, at `now` in seconds since 1970. */
export function openTestStages(now: number, onOpen: (stage: TestStage) => void): void {
  let stages: Awaited<ReturnType<typeof startTestStages>>;

  beforeAll(async () => {
    stages = await startTestStages();
  }, 120_000);
  beforeEach(async () => {
    vi.useFakeTimers({ now: now * 1000, toFake: ['Date'] });
    onOpen(await stages.open());
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  afterAll(() => stages.close());
}

/** Starts a DynamoDB for stages that have each a table of their own. */
async function startTestStages() {
  const embedded = await startDynamodb(() => undefined);
  const dynamodb = new DynamoDBClient(operatorAt(embedded.endpoint));
  const documents = DynamoDBDocumentClient.from(dynamodb, exactIntegers);

  /** Creates a table with a name of its own. */
  async function create(AttributeName: string, AttributeType: 'S' | 'N'): Promise<string> {
    const TableName = randomUUID();
    await dynamodb.send(
      new CreateTableCommand({
        TableName,
        AttributeDefinitions: [{ AttributeName, AttributeType }],
        BillingMode: 'PAY_PER_REQUEST',
        KeySchema: [{ AttributeName, KeyType: 'HASH' }],
      }),
    );
    await waitUntilTableExists({ client: dynamodb, maxWaitTime: 60, minDelay: 0.01 }, { TableName });
    return TableName;
  }

  async function open(): Promise<TestStage> {
    const TableName = await create(apiKeysTable.partitionKey, 'S');
    const keysOf = (table: string) => new ApiKeyStore(dynamodb, table, 'staging');
    const items = async () => (await documents.send(new ScanCommand({ TableName }))).Items ?? [];
    return {
      name: 'staging',
      keys: keysOf(TableName),
      keysOf,
      caller: async () => operatorArn,
      items,
      async otherTable() {
        const table = await create(petsTable.partitionKey, 'N');
        await documents.send(new PutCommand({ TableName: table, Item: { [petsTable.partitionKey]: 1 } }));
        return table;
      },
      async copy() {
        const stage = await open();
        await Promise.all((await items()).map(stage.put));
        return stage;
      },
      put: async (Item) => void (await documents.send(new PutCommand({ TableName, Item }))),
    };
  }

  async function closeAll(): Promise<void> {
    dynamodb.destroy();
    await embedded.close();
  }
  return { open, close: closeAll };
}
