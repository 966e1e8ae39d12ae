import { Server } from 'node:net';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { type Deployment, readDeployment } from '../../../infra/local/template/deployment.ts';
import { errorBody } from '../../../shared/contract/errors/error-table.ts';
import { exampleRequests } from '../../support/e2e/example-requests.ts';
import { synthesize } from '../../support/infra/synthesize.ts';
import { startLocalApiWithKey } from '../../support/local/local-api-key.ts';

const stack = synthesize('staging');
const deployment = readDeployment(stack);
afterAll(stack.dispose);

const logged = vi.spyOn(console, 'error').mockReturnValue();
afterEach(() => logged.mockClear());

/** What the template allows, as logged when denied. */
const roleDenial = (role: string, action: string, resource: string) =>
  `${role} is not authorized to perform: ${action} on resource: ${resource}`;
const invokeDenial = (functionArn: string) =>
  `is not authorized to perform: lambda:InvokeFunction on resource: ${functionArn}`;

/** Every permission of the API, the authorizer and the handlers; releases and log groups exist only on AWS. */
const permissions = new Set(
  [...deployment.roles]
    .flatMap(([role, statements]) =>
      statements.flatMap(({ Action, Resource }) =>
        Action.flatMap((action) => Resource.map((resource) => roleDenial(role, action, resource))),
      ),
    )
    .concat(deployment.invokePermissions.map(({ functionArn }) => invokeDenial(functionArn)))
    .filter((permission) => !/-Releases| logs:/.test(permission)),
);

/** Returns the deployment with only some of its permissions. */
const allowing = (allowed: ReadonlySet<string>): Deployment => ({
  ...deployment,
  invokePermissions: deployment.invokePermissions.filter(({ functionArn }) =>
    allowed.has(invokeDenial(functionArn)),
  ),
  roles: new Map(
    [...deployment.roles].map(([role, statements]) => [
      role,
      statements.map((statement) => ({
        ...statement,
        Action: statement.Action.filter((action) =>
          statement.Resource.some((resource) => allowed.has(roleDenial(role, action, resource))),
        ),
      })),
    ]),
  ),
});

/** Sends the contract's example requests to the API of a deployment. */
async function responsesOf(served: Deployment) {
  await using api = await startLocalApiWithKey(served, { port: 0 });
  const Authorization = `Bearer ${api.apiKey}`;

  const responses = [];
  for (const { path, headers, ...init } of exampleRequests) {
    const response = await fetch(`${api.baseUrl}${path}`, {
      ...init,
      headers: { ...headers, Authorization },
    });
    responses.push({ status: response.status, body: await response.text() });
  }
  return responses;
}

describe('the local API', () => {
  it('needs exactly the permissions that the stack has', async () => {
    // Functions log their errors there.
    using _written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const needed = new Set<string>();

    // Each round grants what the previous one was denied, until the requests reach every function and table.
    for (let before = -1; needed.size > before; ) {
      before = needed.size;
      const responses = await responsesOf(allowing(needed));
      const denials = logged.mock.calls.map(
        ([line]) => /([\w-]+Role\w+ )?is not authorized .*/.exec(line)?.[0] ?? `${line}`,
      );
      const denied = [errorBody('internal_error'), errorBody('service_unavailable')];
      if (denials.length > 0) expect(denied).toContain(responses[0]?.body);
      for (const denial of denials) needed.add(denial);
      logged.mockClear();
    }

    expect(needed).toEqual(permissions);
  });

  it('listens on one port only', async () => {
    using listen = vi.spyOn(Server.prototype, 'listen');

    await using _api = await startLocalApiWithKey(deployment, { port: 0 });

    expect(listen).toHaveBeenCalledTimes(1);
  });
});
