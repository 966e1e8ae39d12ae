import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, type NativeAttributeValue, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { App, Stack } from 'aws-cdk-lib';
import { afterAll, afterEach, beforeAll, beforeEach, vi } from 'vitest';
import { ApiKeyStore } from '../../../bin/keys/api-key-store.ts';
import type { OpenStage } from '../../../bin/keys/stage.ts';
import { createTables } from '../../../infra/local/dynamodb/create-tables.ts';
import { operatorArn, operatorAt } from '../../../infra/local/template/account.ts';
import { readTemplate } from '../../../infra/local/template/read-template.ts';
import { stages } from '../../../infra/stages.ts';
import { Tables } from '../../../infra/tables.ts';
import { exactIntegers } from '../../../shared/lambda/exact-integers.ts';
import { apiKeysTable } from '../../../shared/tables/table-definitions.ts';
import { startDynamodb } from '../setup/start-dynamodb.ts';

/** A stage with no key yet, and what its table holds. */
export interface TestStage extends OpenStage {
  items(): Promise<Record<string, NativeAttributeValue>[]>;
}

/** The table of API keys as the stack declares it; the functions, whose bundles take their time, are left out. */
function declaredTables() {
  const outdir = mkdtempSync(join(tmpdir(), 'pet-store-'));
  const app = new App({ outdir, analyticsReporting: false });
  new Tables(new Stack(app, 'Keys'), 'Tables', stages.staging);
  const { template } = app.synth().getStackByName('Keys');
  rmSync(outdir, { recursive: true });
  return readTemplate(template, 'Keys')
    .resourcesOf('AWS::DynamoDB::GlobalTable')
    .filter(({ properties }) => properties.KeySchema[0]?.AttributeName === apiKeysTable.partitionKey);
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

  return {
    async open(): Promise<TestStage> {
      const TableName = randomUUID();
      await createTables(
        dynamodb,
        tables.map((table) => ({ ...table, id: TableName })),
      );
      return {
        name: 'staging',
        keys: new ApiKeyStore(dynamodb, TableName, 'staging'),
        keysOf: (table) => new ApiKeyStore(dynamodb, table, 'staging'),
        caller: async () => operatorArn,
        items: async () => (await documents.send(new ScanCommand({ TableName }))).Items ?? [],
      };
    },
    async close(): Promise<void> {
      dynamodb.destroy();
      await embedded.close();
    },
  };
}
