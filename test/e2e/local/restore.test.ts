import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DeleteTableCommand, DynamoDBClient, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, expect, it, onTestFinished, vi } from 'vitest';
import { revokeKey } from '../../../bin/keys/commands.ts';
import { openStage } from '../../../bin/keys/stage.ts';
import { awsEndpointPath } from '../../../infra/local/aws-endpoint.ts';
import { operatorAt } from '../../../infra/local/template/account.ts';
import { readDeployment } from '../../../infra/local/template/deployment.ts';
import { stages } from '../../../infra/settings/stages.ts';
import { exampleNewPet } from '../../../shared/contract/operations.ts';
import { apiClient } from '../../support/e2e/api-client.ts';
import { petOf, readPages } from '../../support/e2e/pets.ts';
import { synthesize } from '../../support/infra/synthesize.ts';
import { issue, keys } from '../../support/local/keys.ts';
import { type LocalApiWithKey, startLocalApiWithKey } from '../../support/local/local-api-key.ts';
import { createTables } from '../../support/setup/create-tables.ts';

// Functions log there that the table is missing.
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

/** Copies the items of a table, and returns a function that restores it under another name. */
async function snapshot(dynamodb: DynamoDBClient, TableName: string) {
  const tables = readDeployment(before).tables.filter(({ id }) => id === TableName);
  const { Items = [] } = await dynamodb.send(new ScanCommand({ TableName }));
  return async function restoreTo(target: string): Promise<void> {
    await createTables(
      dynamodb,
      tables.map((table) => ({ ...table, id: target })),
    );
    for (const Item of Items) await dynamodb.send(new PutItemCommand({ TableName: target, Item }));
  };
}

it('a restored stage has its pets, its valid keys, and lost creates once they are repeated', {
  timeout: 60_000,
}, async () => {
  const order = { headers: { 'Idempotency-Key': 'order-4711' }, body: { ...exampleNewPet, name: 'Late' } };
  const lost = await start(before);
  const dynamodb = new DynamoDBClient(operatorAt(`http://127.0.0.1:${lost.port}${awsEndpointPath}`));
  const [kept, revoked] = [await issue(lost.port, 'acme'), await issue(lost.port, 'globex')];
  const names = ['Bella', 'Oscar', 'Luna'];
  const created = await Promise.all(
    names.map((name) =>
      clientOf(lost)('POST', '/pets', { body: { ...exampleNewPet, name, status: 'sold' } }),
    ),
  );

  const { PetsTableName = '', ApiKeysTableName = '' } = readDeployment(before).stack.outputs;
  const restorePetsTo = await snapshot(dynamodb, PetsTableName);
  const restoreKeysTo = await snapshot(dynamodb, ApiKeysTableName);

  // Between the restore point and the loss.
  await revokeKey(await openStage({ stage: 'local', port: lost.port }), revoked.keyId);
  const late = await clientOf(lost, kept.key)('POST', '/pets', order);

  await dynamodb.send(new DeleteTableCommand({ TableName: PetsTableName }));
  expect((await clientOf(lost)('GET', '/pets')).status).toBe(500);

  await restorePetsTo(restored.pets);
  await restoreKeysTo(restored.apiKeys);
  const tables = ['--table', restored.apiKeys, '--from-table', ApiKeysTableName];
  const ended = await keys(['revoke', ...tables, '--port', `${lost.port}`]);
  expect(ended).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(revoked.keyId) });
  dynamodb.destroy();
  await lost.close();

  const api = await start(after);
  onTestFinished(api.close);
  const call = clientOf(api, kept.key);
  const ids = created.map((response) => petOf(response).id).toSorted();
  for (const query of ['', '?status=sold']) {
    const listed = (await readPages(query, call)).flatMap((page) => page.pets);
    expect(listed.map(({ id }) => id).toSorted()).toEqual(ids);
  }
  expect((await clientOf(api, revoked.key)('GET', '/pets')).status).toBe(401);

  const { id } = petOf(late);
  expect((await call('GET', `/pets/${id}`)).status).toBe(404);
  const repeated = await call('POST', '/pets', order);
  expect(repeated).toMatchObject({ status: 201, text: late.text });
});
