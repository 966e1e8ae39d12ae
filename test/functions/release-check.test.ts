import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { expect, it, onTestFinished, vi } from 'vitest';
import { listen } from '../../infra/local/http/listen.ts';
import { commonHeaders } from '../../shared/contract/common-headers.ts';
import { operations } from '../../shared/contract/operations.ts';
import { captureLog } from '../support/functions/capture-log.ts';
import { loadAt } from '../support/functions/stub-dynamodb.ts';

const log = captureLog();
const headers = { 'Content-Type': 'application/json', ...commonHeaders };

type Functions = Readonly<Record<string, (event: unknown) => unknown>>;
const functions: Functions = Object.fromEntries(
  await Promise.all(
    ['authorizer', ...Object.keys(operations)].map(async (name) => {
      const file = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      const { handler } = await import(`../../functions/${file}.ts`);
      return [name, (event: unknown) => handler(event, { getRemainingTimeInMillis: () => 5000 })];
    }),
  ),
);

/** Runs the check against these versions, and returns what it sends to CodeDeploy. */
async function checkedStatus(versions: Functions): Promise<unknown> {
  let reported: unknown;
  const server = createServer(async (request, reply) => {
    const [, name = ''] = /functions\/(\w+)%3A7\/invocations$/.exec(request.url ?? '') ?? [];
    const body = await json(request);
    const invoke = versions[name];
    if (!invoke) reported = body;
    reply.end(JSON.stringify((await invoke?.(body)) ?? {}));
  });
  const endpoint = `http://127.0.0.1:${await listen(server)}`;
  onTestFinished(() => server[Symbol.asyncDispose]());
  for (const name of Object.keys(functions)) vi.stubEnv(name, `${name}:7`);
  const { handler } = await loadAt(endpoint, () => import('../../infra/release/check.ts'));

  await handler({ DeploymentId: 'd-1', LifecycleEventHookExecutionId: 'e-1' });
  return reported;
}

it('accepts the current functions', async () => {
  expect(await checkedStatus(functions)).toEqual({
    deploymentId: 'd-1',
    lifecycleEventHookExecutionId: 'e-1',
    status: 'Succeeded',
  });
});

const page = { statusCode: 200, headers, body: '[]' };
const html = { ...headers, 'Content-Type': 'text/html' };
const allow = { policyDocument: { Statement: [{ Effect: 'Allow' }] } };

it.each([
  ['a 500', 'listPets', { ...page, statusCode: 500 }],
  ['a pet without a status', 'listPets', { ...page, body: '[{"id":1,"name":"Bella","categoryId":1}]' }],
  ['another content type', 'listPets', { ...page, headers: html }],
  ['an error reported by Lambda', 'getPet', { errorMessage: 'It failed.' }],
  ['an authorizer that allows a malformed token', 'authorizer', allow],
])('rejects %s', async (_title, name, response) => {
  expect(await checkedStatus({ ...functions, [name]: () => response })).toMatchObject({ status: 'Failed' });
  expect(log.errors()).toHaveLength(1);
});
