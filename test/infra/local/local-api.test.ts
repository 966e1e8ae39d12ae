import { Server } from 'node:net';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { issueKey, revokeKey } from '../../../bin/keys/commands.ts';
import { openStage } from '../../../bin/keys/stage.ts';
import { readDeployment } from '../../../infra/local/template/deployment.ts';
import { errorBody } from '../../../shared/contract/errors/error-table.ts';
import { stringifyJson } from '../../../shared/contract/json.ts';
import { exampleNewPet, operations } from '../../../shared/contract/operations.ts';
import { synthesize } from '../../support/infra/synthesize.ts';
import { altered, type Resources, resourceOf } from '../../support/infra/template.ts';
import { startLocalApiWithKey } from '../../support/local/local-api-key.ts';

const stack = synthesize('staging');
afterAll(stack.dispose);

const logged = vi.spyOn(console, 'error').mockReturnValue();
afterEach(() => logged.mockClear());

it('rejects a revoked key within a minute', async () => {
  const { now } = performance;
  let ahead = 0;
  using _clock = vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + ahead);
  await using api = await startLocalApiWithKey(stack, { port: 0 });
  const stage = await openStage({ stage: 'local', port: api.port });
  const used = await issueKey(stage, { client: 'acme' });
  const statusFor = async (key: string) =>
    (await fetch(`${api.baseUrl}/pets`, { headers: { Authorization: `Bearer ${key}` } })).status;
  expect(await statusFor(used.key)).toBe(200);

  await revokeKey(stage, used.keyId);

  ahead = 50_000;
  expect(await statusFor(used.key)).toBe(200);
  ahead = 60_000;
  // The cache reads the clock once a millisecond.
  await vi.waitFor(async () => expect(await statusFor(used.key)).toBe(401), { timeout: 20_000 });
  expect(await statusFor(api.apiKey)).toBe(200);
});

/** Requests that need every permission. */
const requests = [
  { method: 'GET', path: '/pets' },
  { method: 'GET', path: '/pets?status=sold' },
  { method: 'POST', path: '/pets', body: stringifyJson(exampleNewPet) },
  { method: 'GET', path: '/pets/1' },
  { method: 'GET', path: '/pets/1' },
];

it.each(Object.values(operations))('a request reaches $operationId', ({ operationId, method, path }) => {
  const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}(\\?|$)`);
  const reached = requests.some((request) => request.method === method && pattern.test(request.path));

  expect(reached, `No request in ${import.meta.filename} reaches ${operationId}.`).toBe(true);
});

/** Starts the API of a changed template, and sends it the requests. */
async function responsesWith(alter: (resources: Resources) => void) {
  await using api = await startLocalApiWithKey(altered(stack, alter), { port: 0 });

  const responses = [];
  for (const { path, ...init } of requests) {
    const headers = { Authorization: `Bearer ${api.apiKey}`, 'Content-Type': 'application/json' };
    const response = await fetch(`${api.baseUrl}${path}`, { ...init, headers });
    responses.push({ status: response.status, body: await response.text() });
  }
  return responses;
}

const { roles, invokePermissions } = readDeployment(stack);

/** What the template allows, as logged when denied. */
const permissions = {
  'AWS::IAM::Role': [...roles].flatMap(([role, statements]) =>
    statements.flatMap(({ Action, Resource }) =>
      Action.map((action) => `${role} is not authorized to perform: ${action} on resource: ${Resource}`),
    ),
  ),
  'AWS::Lambda::Permission': invokePermissions.map(
    ({ functionArn }) => `is not authorized to perform: lambda:InvokeFunction on resource: ${functionArn}`,
  ),
};
const writesOwnLog = /^(\S+)Role\w+ .* logs:\w+ on resource: \S+:log-group:\1Logs\w+:\*$/;
/** Of the authorizer or of the handlers; the check of a release runs only in a deployment. */
const permissionsOf = (type: keyof typeof permissions, isAuthorizer: boolean) =>
  permissions[type].filter(
    (text) =>
      /-Authorizer(Role|Function)/.test(text) === isAuthorizer &&
      !text.includes('-Releases') &&
      !writesOwnLog.test(text),
  );

describe('the local API', () => {
  it('has every permission that its requests need, and throttles them', async () => {
    const responses = await responsesWith((resources) => {
      resourceOf(resources, 'AWS::ApiGateway::Stage').Properties['MethodSettings'] = [
        {
          HttpMethod: 'GET',
          ResourcePath: '/~1pets~1{petId}',
          DataTraceEnabled: false,
          ThrottlingRateLimit: 0.001,
          ThrottlingBurstLimit: 1,
        },
      ];
    });

    expect(responses.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 201, 404, 429]));
    expect(responses.at(-1)?.body).toBe(errorBody('too_many_requests'));
    expect(logged).not.toHaveBeenCalled();
  });

  it.each([
    ['AWS::IAM::Role', 'the authorizer', true],
    ['AWS::IAM::Role', 'the handlers', false],
    ['AWS::Lambda::Permission', 'the authorizer', true],
    ['AWS::Lambda::Permission', 'the handlers', false],
  ] as const)('needs every %s of %s', async (type, _of, isAuthorizer) => {
    // Functions log their errors there.
    using _written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);

    const responses = await responsesWith((resources) => {
      for (const [logicalId, { Type, Properties }] of Object.entries(resources)) {
        if (Type !== type || logicalId.startsWith('Authorizer') !== isAuthorizer) continue;
        if (type === 'AWS::IAM::Role') Properties['Policies'] = [];
        else delete resources[logicalId];
      }
    });

    const denials = logged.mock.calls.map(
      ([line]) => /([\w-]+Role\w+ )?is not authorized .*/.exec(line)?.[0],
    );
    expect(responses).toContainEqual({ status: 500, body: errorBody('internal_error') });
    expect(new Set(denials)).toEqual(new Set(permissionsOf(type, isAuthorizer)));
  });

  it('listens on one port only', async () => {
    using listen = vi.spyOn(Server.prototype, 'listen');

    await using _api = await startLocalApiWithKey(stack, { port: 0 });

    expect(listen).toHaveBeenCalledTimes(1);
  });
});
