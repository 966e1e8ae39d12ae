import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openDataDirectory } from '../../../infra/local/dynamodb/data-directory.ts';
import { startLocalApi } from '../../../infra/local/local-api.ts';
import { synthesize } from '../../../infra/local/template/synthesize.ts';
import { nameOfResource, policiesOf, statementsOf } from '../../support/infra/statements.ts';
import {
  altered,
  type Resources,
  readableId,
  resourceOf,
  resourcesOf,
} from '../../support/infra/template.ts';
import { type LocalApiWithKey, startLocalApiWithKey } from '../../support/local/local-api-key.ts';

const stack = synthesize('staging');
afterAll(stack.dispose);

async function start(alter: (resources: Resources) => void): Promise<LocalApiWithKey> {
  const api = await startLocalApiWithKey(altered(stack, alter), { port: 0 });
  onTestFinished(api.close);
  return api;
}

it('takes a killed directory for killed until its tables are repaired', async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'pet-store-killed-'));
  onTestFinished(() => rmSync(dataDirectory, { recursive: true }));
  await openDataDirectory(dataDirectory);
  const damaged = altered(stack, (resources) => {
    Object.assign(resourceOf(resources, 'AWS::DynamoDB::GlobalTable').Properties, { KeySchema: [] });
  });

  await expect(startLocalApi(damaged, { port: 0, dataDirectory })).rejects.toThrow();
  expect(readdirSync(dataDirectory)).toContain('in-use');

  const api = await startLocalApi(stack, { port: 0, dataDirectory });
  await api.close();
  expect(readdirSync(dataDirectory)).not.toContain('in-use');
});

type Call = (api: LocalApiWithKey) => Promise<Response>;

const get =
  (path: string): Call =>
  ({ baseUrl, apiKey }) =>
    fetch(`${baseUrl}${path}`, { headers: { Authorization: `Bearer ${apiKey}` } });

const create: Call = ({ baseUrl, apiKey }) =>
  fetch(`${baseUrl}/pets`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${apiKey}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': 'one',
    },
    body: '{"name":"Bella","categoryId":1}',
  });

/**
 * The request that needs a permission: an action of a role on a resource, or the invocation of a function. A policy that
 * allows what no request needs has no entry here, or one whose request does not fail without it.
 */
const requests: Readonly<Record<string, Call>> = {
  'AuthorizerRole dynamodb:GetItem TablesApiKeys': get('/pets'),
  'ListPetsRole dynamodb:Scan TablesPets': get('/pets'),
  'ListPetsRole dynamodb:Query TablesPets/index/byStatus': get('/pets?status=sold'),
  'CreatePetRole dynamodb:PutItem TablesPets': create,
  'GetPetRole dynamodb:GetItem TablesPets': get('/pets/1'),
  'AuthorizerFunction lambda:InvokeFunction': get('/pets'),
  'ListPetsFunction lambda:InvokeFunction': get('/pets'),
  'CreatePetFunction lambda:InvokeFunction': create,
  'GetPetFunction lambda:InvokeFunction': get('/pets/1'),
};

/** A permission of the template, and how to take it away. */
interface Permission {
  readonly name: string;
  readonly action: string;
  remove(resources: Resources): void;
}

const permissions = Object.entries(resourcesOf(stack.template)).flatMap(
  ([logicalId, resource]): readonly Permission[] => {
    const properties = JSON.stringify(resource.Properties);
    if (resource.Type === 'AWS::Lambda::Permission') {
      const [functionId = ''] = /\w+Function(?=Aliaslive)/.exec(properties) ?? [];
      const action = 'lambda:InvokeFunction';
      const name = `${functionId} ${action}`;
      return [{ name, action, remove: (resources) => delete resources[logicalId] }];
    }
    if (resource.Type !== 'AWS::IAM::Role') return [];
    const allowed = statementsOf(resource);
    return allowed
      .filter(({ Action }) => Action.startsWith('dynamodb:'))
      .map((statement) => ({
        name: `${readableId(logicalId)} ${statement.Action} ${nameOfResource(statement.Resource)}`,
        action: statement.Action,
        remove: (resources) =>
          Object.assign(resourceOf(resources, resource.Type, logicalId).Properties, {
            Policies: policiesOf(allowed.filter((other) => other !== statement)),
          }),
      }));
  },
);

describe('the local API', () => {
  const logged = vi.spyOn(console, 'error').mockReturnValue();
  // The functions log there what they throw.
  vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  afterEach(() => logged.mockClear());

  it('throttles as the template says', async () => {
    const api = await start((resources) => {
      resourceOf(resources, 'AWS::ApiGateway::Stage').Properties['MethodSettings'] = [
        {
          HttpMethod: 'GET',
          ResourcePath: '/~1pets',
          DataTraceEnabled: false,
          ThrottlingRateLimit: 0.001,
          ThrottlingBurstLimit: 1,
        },
      ];
    });

    const first = await get('/pets')(api);
    const second = await get('/pets')(api);

    expect(first.status).toBe(200);
    expect(second.status).toBe(429);
    expect(second.headers.get('Retry-After')).toBe('1');
    expect(await second.json()).toEqual({
      code: 'too_many_requests',
      message: 'Too many requests: try again after the Retry-After seconds.',
      status: 429,
    });
  });

  it('has every permission that its requests need', async () => {
    const api = await start(() => undefined);

    const statuses = [];
    for (const request of Object.values(requests)) statuses.push((await request(api)).status);

    expect(statuses).toEqual([200, 200, 200, 201, 404, 200, 200, 201, 404]);
    expect(logged).not.toHaveBeenCalled();
  });

  it('has no permission but those', () => {
    const names = permissions.map(({ name }) => name);

    expect(names.toSorted()).toEqual(Object.keys(requests).toSorted());
  });

  it.each(permissions)(
    'responds with 500 without $name, and logs what is denied',
    async ({ name, action, remove }) => {
      const api = await start(remove);

      const response = await requests[name]?.(api);

      expect(response?.status).toBe(500);
      expect(await response?.json()).toEqual({
        code: 'internal_error',
        message: 'The service failed unexpectedly.',
        status: 500,
      });
      expect(logged).toHaveBeenCalledWith(
        expect.stringContaining(`is not authorized to perform: ${action} on resource: arn:aws:`),
      );
    },
  );
});
