import { DynamoDBClient, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { expect, it, onTestFinished, vi } from 'vitest';
import { project } from '../../../bin/local/project.ts';
import { awsEndpointPath } from '../../../bin/local-api/aws-endpoint.ts';
import { startLocalApi } from '../../../bin/local-api/local-api.ts';
import { operatorClientConfig } from '../../../bin/local-api/template/account.ts';
import { readDeployment } from '../../../bin/local-api/template/deployment.ts';
import { tableOutput } from '../../../infra/stack-names.ts';
import { queriesOf, textOf } from '../../../shared/contract/example-parameters.ts';
import { body, list, path, table } from '../../support/contract/own-operations.ts';
import { apiClient } from '../../support/e2e/api-client.ts';
import { allItems } from '../../support/e2e/own-items.ts';
import { leastSettings } from '../../support/infra/stage-settings.ts';
import { synthesize } from '../../support/infra/synthesize.ts';
import { runCommand } from '../../support/local/command-process.ts';
import { issue } from '../../support/local/keys.ts';
import { createTables } from '../../support/setup/create-tables.ts';

// Hides the functions' logs.
vi.spyOn(process.stderr, 'write').mockReturnValue(true);

const restoredTables = {
  [table.id]: `PetStore-staging-restored-${table.id}-1`,
  apiKeys: 'PetStore-staging-restored-apiKeys-1',
};
const before = synthesize('staging');
const after = synthesize('staging', { settings: { ...leastSettings, restoredTables } });
const { tables, stack } = readDeployment(before, project);
const { [tableOutput(table.id)]: tableName = '', ApiKeysTableName = '' } = stack.outputs;

/** Restores a table to its current state, under another name. */
async function restore(dynamodb: DynamoDBClient, name: string, restored: string): Promise<void> {
  const declarations = tables.filter(({ id }) => id === name).map((found) => ({ ...found, id: restored }));
  await createTables(dynamodb, declarations);
  const { Items = [] } = await dynamodb.send(new ScanCommand({ TableName: name }));
  for (const Item of Items) await dynamodb.send(new PutItemCommand({ TableName: restored, Item }));
}

it('a restored stage has its items and revocations; lost creates can be repeated', async () => {
  const order = { headers: { 'Idempotency-Key': 'order-4711' }, body };
  const api = await startLocalApi(readDeployment(before, project), { port: 0, project });
  onTestFinished(api.close);
  const { port, baseUrl } = api;
  const kept = await issue(port, 'acme');
  const revoked = await issue(port, 'globex');
  const call = apiClient({ baseUrl, apiKey: kept.key });
  const created = await Promise.all([1, 2, 3].map(() => call('POST', path, { body })));
  const dynamodb = new DynamoDBClient(operatorClientConfig(`http://127.0.0.1:${port}${awsEndpointPath}`));
  await restore(dynamodb, tableName, restoredTables[table.id]);
  await restore(dynamodb, ApiKeysTableName, restoredTables.apiKeys);
  dynamodb.destroy();

  // After the restore point.
  const environment = { BASE_URL: baseUrl };
  await runCommand('bin/keys.ts', ['revoke', revoked.keyId], { environment });
  const late = await call('POST', path, order);
  const lost = await issue(port, 'initech');
  const flags = ['--table', restoredTables.apiKeys, '--from-table', ApiKeysTableName];
  const ended = await runCommand('bin/keys.ts', ['copy-revocations', ...flags], { environment });

  expect(await api.deploy(readDeployment(after, project))).toEqual([]);

  const items = created.map((response) => JSON.stringify(response.body)).toSorted();
  for (const query of queriesOf(list)) {
    const isListed = (item: string) =>
      Object.entries(query).every(([field, value]) => `${JSON.parse(item)[field] ?? value}` === value);
    expect((await allItems(call, textOf(query))).toSorted()).toEqual(items.filter(isListed));
  }
  expect(ended).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(revoked.keyId) });
  for (const apiKey of [revoked.key, lost.key]) {
    expect((await apiClient({ baseUrl, apiKey })('GET', path)).status).toBe(401);
  }
  expect(items).not.toContain(JSON.stringify(late.body));
  const repeated = await call('POST', path, order);
  expect(repeated).toMatchObject({ status: 201, text: late.text });
});
