import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, expect, it, onTestFinished, vi } from 'vitest';
import { project } from '../../../bin/local/this-project.ts';
import { listen } from '../../../bin/local-api/http/listen.ts';
import { createInvoker } from '../../../bin/local-api/lambda/invoker.ts';
import { readDeployment } from '../../../bin/local-api/template/deployment.ts';
import { stubProject } from '../../../bin/local-api/test/support/stub-project.ts';
import { capitalize } from '../../../infra/stack-names.ts';
import { operations } from '../../../shared/service.ts';
import { create, page as items, list } from '../../support/contract/own-operations.ts';
import { captureLog } from '../../support/functions/capture-log.ts';
import { loadAt } from '../../support/functions/stub-dynamodb.ts';
import { synthesize } from '../../support/infra/synthesize.ts';
import { createTables } from '../../support/setup/create-tables.ts';
import { startDynamodb } from '../../support/setup/start-dynamodb.ts';

type Functions = Readonly<Record<string, (event: unknown) => unknown>>;

const log = captureLog();
const stack = synthesize('staging');
const deployment = readDeployment(stack, project);
const { endpoint, close } = await startDynamodb();
const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
const dynamodb = new DynamoDBClient({ endpoint, region: 'eu-west-1', credentials });
await createTables(dynamodb, deployment.tables);

// Only for what hangs: here, neither time nor the start of processes matters.
const timeoutMs = 120_000;
const invoker = createInvoker(endpoint, { project: stubProject, limits: { init: timeoutMs } });
const unhurried = deployment.functions.map((spec) => ({ ...spec, timeoutMs }));
const mayInvoke = deployment.functions.map(({ arn }) => ({ functionArn: arn, sourceArn: 'check' }));
await invoker.deploy({ ...deployment, functions: unhurried, invokePermissions: mayInvoke });
afterAll(async () => {
  await invoker.close();
  await close();
});

/** The bundled functions, by the names that the check knows them by. */
const functions: Functions = Object.fromEntries(
  ['Authorizer', ...Object.keys(operations).map(capitalize)].map((name) => {
    const isNamed = new RegExp(`-${name}Function`);
    const arn = deployment.functions.find((spec) => isNamed.test(spec.name))?.arn ?? '';
    return [name, async (event: unknown) => Object.values(await invoker.invoke(arn, 'check', event))[0]];
  }),
);

const List = capitalize(list.operationId);
const Create = capitalize(create.operationId);
const hookEvent = { DeploymentId: 'd-1', LifecycleEventHookExecutionId: 'e-1' };
interface Run {
  /** The live versions, in place of the new ones. */
  readonly live?: Functions;
  readonly environment?: Readonly<Record<string, string>>;
  readonly remainingMilliseconds?: number;
}

/** Runs the check against these versions, and returns what it sends to CodeDeploy. */
async function checkedStatus(
  versions: Functions,
  { live = versions, environment = {}, remainingMilliseconds = timeoutMs }: Run = {},
): Promise<unknown> {
  let reported: unknown;
  const server = createServer(async (request, reply) => {
    const [, name = '', version] = /functions\/(\w+)%3A(7|live)\/invocations$/.exec(request.url ?? '') ?? [];
    const body = await json(request);
    const invoke = version === 'live' ? live[name] : versions[name];
    if (!invoke) reported = body;
    reply.end(JSON.stringify((await invoke?.(body)) ?? {}));
  });
  const awsEndpoint = `http://127.0.0.1:${await listen(server)}`;
  onTestFinished(() => server[Symbol.asyncDispose]());
  // The functions log there.
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  vi.stubEnv('AWS_REGION', 'eu-west-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
  vi.stubEnv('STAGE', 'staging');
  for (const name of Object.keys(functions)) vi.stubEnv(name, `${name}:7`);
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  const { handler } = await loadAt(awsEndpoint, () => import('../../../infra/release/release-check.ts'));

  await handler(hookEvent, { getRemainingTimeInMillis: () => remainingMilliseconds });
  return reported;
}

it('accepts the current functions', async () => {
  expect(await checkedStatus(functions)).toEqual({
    deploymentId: 'd-1',
    lifecycleEventHookExecutionId: 'e-1',
    status: 'Succeeded',
  });
  expect(log.errors()).toEqual([]);
});

it('writes nothing', async () => {
  await checkedStatus(functions);

  const tables = deployment.tables.map(({ id }) => dynamodb.send(new ScanCommand({ TableName: id })));
  expect((await Promise.all(tables)).map(({ Count }) => Count)).toEqual(deployment.tables.map(() => 0));
});

const page = { statusCode: 200, headers: {}, body: '[]' };
const policy = (Effect: string) => ({ principalId: 'unknown', policyDocument: { Statement: [{ Effect }] } });

it.each<[title: string, name: string, response: object, fields: string]>([
  ['a 500', List, { ...page, statusCode: 500 }, 'statusCode'],
  ['a damaged item', List, { ...page, body: '[{"x":"B"}]' }, 'body.0.\\w+'],
  ['a body that is not JSON', List, { ...page, body: '<html>' }, 'body'],
  ['an error reported by Lambda', List, { errorMessage: 'It failed.' }, 'statusCode'],
  ['a create that accepts an empty object', Create, { ...page, statusCode: 201 }, 'statusCode'],
  ['an authorizer that allows any token', 'Authorizer', policy('Allow'), 'policyDocument.Statement.0.Effect'],
  ['an authorizer that reads no table', 'Authorizer', policy('Deny'), 'principalId'],
])('rejects %s, naming what differs', async (_title, name, response, fields) => {
  expect(await checkedStatus({ ...functions, [name]: () => response })).toMatchObject({ status: 'Failed' });

  const named = new RegExp(`Error: ${name}:7 responds wrongly to .+ in (.+, )?${fields}[,.]`);
  expect(log.errors()).toContainEqual(expect.stringMatching(named));
  expect(log.errors().join()).not.toMatch(/html|"B"/);
});

const filled = { ...page, body: items };

it('rejects a list that finds nothing where the live version finds items', async () => {
  const live = { ...functions, [List]: () => filled };

  expect(await checkedStatus(functions, { live })).toMatchObject({ status: 'Failed' });

  const message = `${List}:7 finds nothing for GET ${list.path}, unlike ${List}:live: another table?`;
  expect(log.errors()).toContainEqual(expect.stringContaining(message));
  expect(log.errors().join()).not.toContain(items.slice(1, -1));
});

it('accepts a list that finds items where the live version fails', async () => {
  const repaired = { ...functions, [List]: () => filled };
  const live = { ...functions, [List]: () => ({ errorMessage: 'It failed.' }) };

  expect(await checkedStatus(repaired, { live })).toMatchObject({ status: 'Succeeded' });
  expect(await checkedStatus(functions, { live })).toMatchObject({ status: 'Succeeded' });
});

it.each(['STAGE', List])('reports a failure if the environment lacks %s', async (name) => {
  expect(await checkedStatus(functions, { environment: { [name]: '' } })).toMatchObject({ status: 'Failed' });

  expect(log.errors().join()).toContain(`The environment variable ${name} is not set.`);
});

it('reports a failure before its own time ends', async () => {
  const silent = { ...functions, [List]: () => new Promise(() => {}) };

  expect(await checkedStatus(silent, { remainingMilliseconds: 10_500 })).toMatchObject({ status: 'Failed' });

  expect(log.errors().join()).toContain(`${List}:7 has no response to GET ${list.path}`);
});
