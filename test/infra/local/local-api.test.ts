import { Server } from 'node:net';
import { afterAll, expect, it, vi } from 'vitest';
import { type Deployment, readDeployment } from '../../../infra/local/template/deployment.ts';
import { errorBody } from '../../../shared/contract/errors/error-table.ts';
import { apiClient } from '../../support/e2e/api-client.ts';
import { exampleRequests } from '../../support/e2e/example-requests.ts';
import { synthesize } from '../../support/infra/synthesize.ts';
import { startLocalApiWithKey } from '../../support/local/local-api-key.ts';

const stack = synthesize('staging');
const deployment = readDeployment(stack);
afterAll(stack.dispose);

/** The permissions of the roles, one action on one resource each, with what is logged without it. */
const grants = [...deployment.roles].flatMap(([role, statements]) =>
  statements.flatMap((statement) =>
    statement.Action.flatMap((action) =>
      statement.Resource.map((resource) => ({
        role,
        statement: { ...statement, Action: [action], Resource: [resource] },
        denial: `infra/settings/operation-settings.ts does not allow ${role} to call ${action} on ${resource.replace(/^arn:.*:table/, 'table')}.`,
      })),
    ),
  ),
);
const invokeDenial = ({ functionArn }: { functionArn: string }) =>
  `is not authorized to perform: lambda:InvokeFunction on resource: ${functionArn}`;

/** Returns the deployment with only some of its permissions. */
const allowing = (allowed: ReadonlySet<string>): Deployment => ({
  ...deployment,
  invokePermissions: deployment.invokePermissions.filter((permission) =>
    allowed.has(invokeDenial(permission)),
  ),
  roles: new Map(
    [...deployment.roles.keys()].map((role) => {
      const allowedGrants = grants.filter((grant) => grant.role === role && allowed.has(grant.denial));
      return [role, allowedGrants.map(({ statement }) => statement)];
    }),
  ),
});

/** Sends the contract's example requests to the API of a deployment, and returns the responses' bodies. */
async function responsesOf(served: Deployment): Promise<string[]> {
  await using api = await startLocalApiWithKey(served);
  const Authorization = `Bearer ${api.apiKey}`;

  const bodies = [];
  for (const { path, headers, ...init } of exampleRequests) {
    const request = { ...init, headers: { ...headers, Authorization } };
    bodies.push(await (await fetch(`${api.baseUrl}${path}`, request)).text());
  }
  return bodies;
}

it.each(['deploy', 'deployFunctions'] as const)('repeats a hint after %s', async (reload) => {
  using logged = vi.spyOn(console, 'error').mockReturnValue();
  await using api = await startLocalApiWithKey(deployment);
  const [role = ''] = deployment.roles.keys();
  const call = {
    method: 'POST',
    headers: {
      'X-Amz-Target': 'DynamoDB_20120810.GetItem',
      Authorization: `AWS4-HMAC-SHA256 Credential=${role}/20261120/us-east-1/dynamodb/aws4_request`,
    },
    body: '{}',
  };
  const endpoint = new URL('/_aws/', api.baseUrl);
  await fetch(endpoint, call);
  logged.mockClear();

  await api[reload]({ ...deployment });
  await fetch(endpoint, call);

  expect(logged).toHaveBeenCalledExactlyOnceWith(`The call dynamodb:GetItem of ${role} names no table.`);
});

it('the local API needs exactly the permissions that the stack has', async () => {
  using logged = vi.spyOn(console, 'error').mockReturnValue();
  // Functions log their errors there.
  using _written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const needed = new Set<string>();

  // Each round grants what the previous one was denied, until the requests reach every function and table.
  for (let before = -1; needed.size > before; ) {
    before = needed.size;
    const [body] = await responsesOf(allowing(needed));
    const denials = logged.mock.calls.map(([line]) => /is not authorized .*/.exec(line)?.[0] ?? `${line}`);
    const denied = [errorBody('internal_error'), errorBody('service_unavailable')];
    if (denials.length > 0) expect(denied).toContain(body);
    for (const denial of denials) needed.add(denial);
    logged.mockClear();
  }

  const permissions = [
    ...grants.map(({ denial }) => denial),
    ...deployment.invokePermissions.map(invokeDenial),
  ];
  // Releases and log groups exist only on AWS.
  expect(needed).toEqual(new Set(permissions.filter((permission) => !/-Releases| logs:/.test(permission))));
});

it('a reload creates missing tables', async () => {
  const tables = deployment.tables.filter(({ id }) => id.includes('ApiKeys'));
  await using api = await startLocalApiWithKey({ ...deployment, tables });

  await api.deploy(deployment);

  expect(await apiClient(api)('GET', '/pets')).toMatchObject({ status: 200 });
});

it('the local API listens on one port only', async () => {
  using listen = vi.spyOn(Server.prototype, 'listen');

  await using _api = await startLocalApiWithKey(deployment);

  expect(listen).toHaveBeenCalledTimes(1);
});
