import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  CreateTableCommand,
  DeleteTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  PutItemCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { awsEndpointPath } from '../../../infra/local/aws-endpoint.ts';
import { operatorAt } from '../../../infra/local/template/account.ts';
import { readDeployment } from '../../../infra/local/template/deployment.ts';
import { synthesize } from '../../../infra/local/template/synthesize.ts';
import { stages } from '../../../infra/settings/stages.ts';
import { apiClient } from '../../support/e2e/api-client.ts';
import { petOf, readPages } from '../../support/e2e/pets.ts';
import { type LocalApiWithKey, startLocalApiWithKey } from '../../support/local/local-api-key.ts';
import { issue, keys } from '../../support/local/operator.ts';

// The functions log there that the table is gone.
vi.spyOn(process.stderr, 'write').mockReturnValue(true);

const restored = { pets: 'pets-restored', apiKeys: 'keys-restored' };
const [before, after] = [
  synthesize('staging'),
  synthesize('staging', {
    settings: { ...stages, staging: { ...stages.staging, restoredTables: restored } },
  }),
];
const dataDirectory = mkdtempSync(join(tmpdir(), 'pet-store-restore-'));
afterAll(() => {
  for (const stack of [before, after]) stack.dispose();
  rmSync(dataDirectory, { recursive: true });
});

const start = (stack: typeof before) => startLocalApiWithKey(stack, { port: 0, dataDirectory });
const clientOf = (api: LocalApiWithKey, apiKey = api.apiKey) => apiClient({ baseUrl: api.baseUrl, apiKey });
const operatorOf = (api: LocalApiWithKey) =>
  new DynamoDBClient(operatorAt(`http://127.0.0.1:${api.port}${awsEndpointPath}`));

/** What a restore to this instant would give: a table's keys and indexes, and its items, and none of its settings. */
async function snapshot(dynamodb: DynamoDBClient, TableName: string) {
  const [{ Table }, { Items = [] }] = await Promise.all([
    dynamodb.send(new DescribeTableCommand({ TableName })),
    dynamodb.send(new ScanCommand({ TableName })),
  ]);
  const GlobalSecondaryIndexes = Table?.GlobalSecondaryIndexes?.map(
    ({ IndexName, KeySchema, Projection }) => ({
      IndexName,
      KeySchema,
      Projection,
    }),
  );
  return {
    async restoreTo(target: string): Promise<void> {
      await dynamodb.send(
        new CreateTableCommand({
          TableName: target,
          BillingMode: 'PAY_PER_REQUEST',
          AttributeDefinitions: Table?.AttributeDefinitions,
          KeySchema: Table?.KeySchema,
          ...(GlobalSecondaryIndexes && { GlobalSecondaryIndexes }),
        }),
      );
      for (const Item of Items) await dynamodb.send(new PutItemCommand({ TableName: target, Item }));
    },
  };
}

describe('a pet store whose tables are lost', () => {
  const order = { headers: { 'Idempotency-Key': 'order-4711' }, body: { name: 'Late', categoryId: 1 } };
  let api: LocalApiWithKey;
  let kept: string;
  let revoked: string;
  let ids: number[];
  let late: number;

  beforeAll(async () => {
    api = await start(before);
    const port = `${api.port}`;
    const dynamodb = operatorOf(api);
    const [first, second] = [await issue(port, 'acme'), await issue(port, 'globex')];
    kept = first.key;
    revoked = second.key;
    const names = ['Bella', 'Oscar', 'Luna'];
    const created = await Promise.all(
      names.map((name) => clientOf(api)('POST', '/pets', { body: { name, categoryId: 1, status: 'sold' } })),
    );
    ids = created.map((response) => petOf(response).id);

    const { PetsTableName = '', ApiKeysTableName = '' } = readDeployment(before).stack.outputs;
    const pets = await snapshot(dynamodb, PetsTableName);
    const apiKeys = await snapshot(dynamodb, ApiKeysTableName);

    // After that instant, and before the harm.
    await keys(['revoke', second.keyId, '--port', port]);
    late = petOf(await clientOf(api, kept)('POST', '/pets', order)).id;

    await dynamodb.send(new DeleteTableCommand({ TableName: PetsTableName }));
    expect((await clientOf(api)('GET', '/pets')).status).toBe(500);

    await pets.restoreTo(restored.pets);
    await apiKeys.restoreTo(restored.apiKeys);
    const ended = await keys([
      'revoke',
      '--table',
      restored.apiKeys,
      '--from-table',
      ApiKeysTableName,
      '--port',
      port,
    ]);
    expect(ended).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(second.keyId) });
    dynamodb.destroy();
    await api.close();
    api = await start(after);
  }, 60_000);
  afterAll(() => api.close());

  it('has its pets again, with a filter and without', async () => {
    const client = clientOf(api, kept);

    const [all, sold] = [await readPages('', client), await readPages('?status=sold', client)];

    for (const pages of [all, sold]) {
      expect(pages.flatMap(({ pets }) => pets.map(({ id }) => id)).toSorted()).toEqual(ids.toSorted());
    }
  });

  it('refuses the key that was revoked after the instant of the restore, and takes the other', async () => {
    expect((await clientOf(api, revoked)('GET', '/pets')).status).toBe(401);
    expect((await clientOf(api, kept)('GET', '/pets')).status).toBe(200);
  });

  it('makes a pet that was lost once more, with the same id, when its create is repeated', async () => {
    const client = clientOf(api, kept);
    expect((await client('GET', `/pets/${late}`)).status).toBe(404);

    const repeated = await client('POST', '/pets', order);

    expect(repeated.status).toBe(201);
    expect(petOf(repeated).id).toBe(late);
  });
});
