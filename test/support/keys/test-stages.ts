import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DynamoDBDocumentClient,
  type NativeAttributeValue,
  PutCommand,
  ScanCommand,
} from '@aws-sdk/lib-dynamodb';
import { App, Stack } from 'aws-cdk-lib';
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { ApiKeyStore } from '../../../bin/keys/api-key-store.ts';
import type { OpenStage } from '../../../bin/keys/stage.ts';
import { createTables } from '../../../infra/local/dynamodb/create-tables.ts';
import { operatorArn, operatorAt } from '../../../infra/local/template/account.ts';
import { readTemplate } from '../../../infra/local/template/read-template.ts';
import { stages } from '../../../infra/stages.ts';
import { Tables } from '../../../infra/tables.ts';
import { exactIntegers } from '../../../shared/tables/stored-items.ts';
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

/** The tables as the stack declares them; the functions, whose bundles take their time, are left out. */
function declaredTables() {
  const outdir = mkdtempSync(join(tmpdir(), 'pet-store-'));
  const app = new App({ outdir, analyticsReporting: false });
  new Tables(new Stack(app, 'Keys'), 'Tables', stages.staging);
  const { template } = app.synth().getStackByName('Keys');
  rmSync(outdir, { recursive: true });
  return readTemplate(template, 'Keys').resourcesOf('AWS::DynamoDB::GlobalTable');
}

/** Opens a stage for each test of a file, and stops the clock for it, at `now` in seconds since 1970. */
export function openTestStages(now: number, onOpen: (stage: TestStage) => void): void {
  let stages: Awaited<ReturnType<typeof startTestStages>>;

  beforeAll(async () => {
    stages = await startTestStages();
  });
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
  const tables = declaredTables();
  const embedded = await startDynamodb(() => undefined);
  const dynamodb = new DynamoDBClient(operatorAt(embedded.endpoint));
  const documents = DynamoDBDocumentClient.from(dynamodb, exactIntegers);

  /** Creates a table with a name of its own, as the one with that partition key is declared. */
  async function create(partitionKey: string): Promise<string> {
    const id = randomUUID();
    const declared = tables.filter(
      ({ properties }) => properties.KeySchema[0]?.AttributeName === partitionKey,
    );
    await createTables(
      dynamodb,
      declared.map((table) => ({ ...table, id })),
    );
    return id;
  }

  async function open(): Promise<TestStage> {
    const TableName = await create(apiKeysTable.partitionKey);
    const keysOf = (table: string) => new ApiKeyStore(dynamodb, table, 'staging');
    const items = async () => (await documents.send(new ScanCommand({ TableName }))).Items ?? [];
    return {
      name: 'staging',
      keys: keysOf(TableName),
      keysOf,
      caller: async () => operatorArn,
      items,
      async otherTable() {
        const table = await create(petsTable.partitionKey);
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
