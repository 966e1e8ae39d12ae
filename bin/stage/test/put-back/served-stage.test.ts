import { DeleteItemCommand, DynamoDBClient, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { expect, it, onTestFinished, vi } from 'vitest';
import { tableOutput } from '../../../../infra/stack-names.ts';
import { namesOf } from '../../../../shared/tables/table.ts';
import { body, createPath, table } from '../../../../test/support/contract/own-operations.ts';
import { apiClient } from '../../../../test/support/e2e/api-client.ts';
import { allItems } from '../../../../test/support/e2e/own-items.ts';
import { synthesize } from '../../../../test/support/infra/synthesize.ts';
import { createTables } from '../../../../test/support/setup/create-tables.ts';
import { runCommand } from '../../../cli/test/support/command-process.ts';
import { issue } from '../../../keys/test/support/issue.ts';
import { project } from '../../../local/this-project.ts';
import { awsEndpointPath } from '../../../local-api/aws-endpoint.ts';
import { startLocalApi } from '../../../local-api/local-api.ts';
import { operatorClientConfig } from '../../../local-api/template/account.ts';
import { readDeployment } from '../../../local-api/template/deployment.ts';

// Hides the functions' logs.
vi.spyOn(process.stderr, 'write').mockReturnValue(true);

it('a stage lists what was put back; its create can still be repeated', async () => {
  const deployment = readDeployment(synthesize('staging'), project);
  const api = await startLocalApi(deployment, { port: 0, project });
  onTestFinished(api.close);
  const { port, baseUrl } = api;
  const call = apiClient({ baseUrl, apiKey: (await issue(port, 'acme')).key });
  const order = { headers: { 'Idempotency-Key': 'order-4711' }, body };
  const created = await call('POST', createPath, order);
  expect(created.status).toBe(201);
  const before = await allItems(call);
  const dynamodb = new DynamoDBClient(operatorClientConfig(`http://127.0.0.1:${port}${awsEndpointPath}`));
  onTestFinished(() => dynamodb.destroy());
  const TableName = deployment.stack.outputs[tableOutput(table.id)] ?? '';
  const copy = `PetStore-staging-restored-${table.id}-1`;
  const declarations = deployment.tables.filter(({ id }) => id === TableName);
  await createTables(
    dynamodb,
    declarations.map((declared) => ({ ...declared, id: copy })),
  );
  const { Items = [] } = await dynamodb.send(new ScanCommand({ TableName }));
  for (const Item of Items) {
    await dynamodb.send(new PutItemCommand({ TableName: copy, Item }));
    const Key = Object.fromEntries(namesOf(table.key).map((name) => [name, Item[name] ?? { NULL: true }]));
    await dynamodb.send(new DeleteItemCommand({ TableName, Key }));
  }
  expect(await allItems(call)).toEqual([]);

  const args = ['local', table.id, '--from', copy];
  const ended = await runCommand('bin/stage/put-back/put-back.ts', args, {
    environment: { BASE_URL: baseUrl },
    input: '\nyes\nyes\n',
  });

  expect(ended).toMatchObject({ exitCode: 0, stdout: expect.stringContaining(`Deleted ${copy}.`) });
  expect(await allItems(call)).toEqual(before);
  const repeated = await call('POST', createPath, order);
  expect(repeated).toMatchObject({ status: 201, text: created.text });
  expect(repeated.headers['idempotency-replayed']).toBe('true');
});
