import { beforeAll, describe, expect, it, vi } from 'vitest';
import { issue } from '../../../bin/keys/test/support/issue.ts';
import { createSamples } from '../../../bin/local/samples.ts';
import { project } from '../../../bin/local/this-project.ts';
import { dynaliteTables } from '../../../bin/local-api/dynamodb/dynalite-tables.ts';
import { embeddedDynamodb } from '../../../bin/local-api/dynamodb/embedded-dynamodb.ts';
import type { HttpRequest } from '../../../bin/local-api/http/read-request.ts';
import { startLocalApi } from '../../../bin/local-api/local-api.ts';
import { readDeployment } from '../../../bin/local-api/template/deployment.ts';
import { apiClient } from '../../support/e2e/api-client.ts';
import { exampleRequests } from '../../support/e2e/example-requests.ts';
import { synthesize } from '../../support/infra/synthesize.ts';
import { startDynamodb } from '../../support/setup/start-dynamodb.ts';

const stack = synthesize('staging');
const deployment = readDeployment(stack, project);

/** The actions on tables that each role may perform, such as `dynamodb:Query table/Pets/index`. */
const allowed = new Map(
  Array.from(deployment.roles, ([role, statements]) => [
    role,
    statements.flatMap(({ Action, Resource }) =>
      Action.filter((action) => action.startsWith('dynamodb:')).flatMap((action) =>
        // Without the index's name: a function may use an index before it does.
        Resource.map((resource) => `${action} ${resource.replace(/^.*:|(?<=\/index)\/.*$/g, '')}`),
      ),
    ),
  ]),
);
const callers = deployment.functions.map(
  ({ name, role }) => [name.replace(/^PetStore-staging-|Function.*$/g, ''), role] as const,
);

/** What each role called. */
const called = new Map<string, Set<string>>(callers.map(([, role]) => [role, new Set()]));

function record({ headers, body }: HttpRequest): void {
  const [, role = ''] = /Credential=role:([^/]+)/.exec(`${headers['authorization']}`) ?? [];
  const [, operation] = `${headers['x-amz-target']}`.split('.');
  const { TableName, IndexName } = JSON.parse(`${body}`);
  const index = IndexName === undefined ? '' : '/index';
  called.get(role)?.add(`dynamodb:${operation} table/${TableName}${index}`);
}

beforeAll(async () => {
  // The functions log there.
  using _written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const tables = dynaliteTables();
  await tables.declare(deployment.tables);
  // Nothing is denied here, so that a call can be followed by others.
  const dynamodb = embeddedDynamodb(tables);
  const recorded = await startDynamodb(deployment.stack, (request) => {
    record(request);
    return dynamodb(request);
  });
  const { key: apiKey } = await issue(recorded.port, 'local');
  const functions = deployment.functions.map((spec) => ({
    ...spec,
    environment: { ...spec.environment, AWS_ENDPOINT_URL_DYNAMODB: recorded.endpoint },
  }));
  const api = await startLocalApi({ ...deployment, functions }, { port: 0, project });
  const call = apiClient({ baseUrl: api.baseUrl, apiKey });

  // Examples refer to the first sample.
  await createSamples(1, { baseUrl: api.baseUrl, apiKey });
  for (const { method, path, create, ...request } of exampleRequests) {
    const created = create && (await call(create.method, create.path, create));
    await call(method, created?.headers['location']?.slice(api.baseUrl.length) ?? path, request);
  }

  await api.close();
  await recorded.close();
});

describe.each(callers)('%s', (_name, role) => {
  const actions = allowed.get(role) ?? [];
  const performed = () => [...(called.get(role) ?? [])];

  it('may perform all actions that its function performs', () => {
    expect(performed().filter((action) => !actions.includes(action))).toEqual([]);
  });

  it('may perform no action that its function never performs', () => {
    expect(actions.filter((action) => !performed().includes(action))).toEqual([]);
  });
});
