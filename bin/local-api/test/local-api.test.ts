import { Server } from 'node:net';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startLocalApi } from '../local-api.ts';
import { readDeployment } from '../template/deployment.ts';
import { notesAssembly } from './support/notes-assembly.ts';
import { largeLimits, stubProject } from './support/stub-project.ts';

const deployment = readDeployment(notesAssembly(), stubProject);

async function start(served = deployment) {
  const functions = { limits: largeLimits };
  const api = await startLocalApi(served, { port: 0, project: stubProject, functions });
  const call = async (method: string, path: string, body?: object) => {
    const init = { method, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(`${api.baseUrl}${path}`, init);
    const text = await response.text();
    return { status: response.status, body: text && JSON.parse(text) };
  };
  return { ...api, call };
}

const keyOf = (number: number) => ({ board: { S: 'a' }, number: { N: `${number}` } });
const queryBy = (name: string) => ({
  KeyConditionExpression: `${name} = :value`,
  ExpressionAttributeValues: { ':value': { S: 'a' } },
});
const withId = queryBy('id');
const ofBoard = queryBy('board');

describe('a service with two tables, one of which has a composite key', () => {
  let api: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    api = await start();
  });
  afterAll(() => api.close());

  it('creates, lists, updates and deletes', async () => {
    const board = { id: { S: 'a' } };
    expect(await api.call('PUT', '/BOARDS', { Item: board })).toEqual({ status: 200, body: {} });
    expect(await api.call('POST', '/BOARDS', withId)).toMatchObject({ body: { Items: [board] } });
    for (const Key of [keyOf(10), keyOf(9)])
      await api.call('PUT', '/NOTES', { Item: { ...Key, text: { S: 'new' } } });

    const change = { text: { Action: 'PUT', Value: { S: 'changed' } } };
    await api.call('PATCH', '/NOTES', { Key: keyOf(10), AttributeUpdates: change });

    expect(await api.call('POST', '/NOTES', ofBoard)).toMatchObject({
      body: {
        Items: [
          { number: { N: '9' }, text: { S: 'new' } },
          { number: { N: '10' }, text: { S: 'changed' } },
        ],
      },
    });
    expect(await api.call('DELETE', '/NOTES', { Key: keyOf(9) })).toEqual({ status: 204, body: '' });
    expect(await api.call('POST', '/NOTES', ofBoard)).toMatchObject({ body: { Items: [keyOf(10)] } });
  });

  it("gets API Gateway's own response when the function fails", async () => {
    using _written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);

    const response = await api.call('PUT', '/BOARDS', {});

    expect(response).toEqual({ status: 502, body: { message: 'Internal server error' } });
  });

  it('is told what to allow', async () => {
    using logged = vi.spyOn(console, 'error').mockReturnValue();
    using _written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const roles = new Map([...deployment.roles.keys()].map((role) => [role, []]));
    const denied = await start({ ...deployment, roles });
    onTestFinished(denied.close);

    await denied.call('POST', '/BOARDS', withId);

    expect(logged).toHaveBeenCalledExactlyOnceWith(
      expect.stringMatching(/^the permissions does not allow \S+ to call dynamodb:Query on table\/\S+\.$/),
    );
  });
});

it('a reload creates missing tables', async () => {
  const api = await start({ ...deployment, tables: [] });
  onTestFinished(api.close);

  await api.deploy(deployment);

  expect(await api.call('POST', '/BOARDS', withId)).toMatchObject({ status: 200, body: { Items: [] } });
});

it('a reload keeps what the gateway knows only if it changes no more than code', async () => {
  const limited = {
    ...deployment,
    routes: deployment.routes.map((route) => ({ ...route, throttling: { rate: 0.001, burst: 1 } })),
  };
  const api = await start(limited);
  onTestFinished(api.close);
  const list = async () => (await api.call('POST', '/BOARDS', withId)).status;
  expect([await list(), await list()]).toEqual([200, 429]);
  const functions = deployment.functions.map((spec) => ({
    ...spec,
    codeDirectory: `${spec.codeDirectory}/.`,
  }));

  await api.deploy({ ...limited, functions });
  expect(await list()).toBe(429);

  await api.deploy({ ...limited, roles: new Map([...deployment.roles, ['other', []]]) });
  expect(await list()).toBe(200);
});

it('a reload takes no permission from a function that still serves', async () => {
  using _written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  const api = await start();
  onTestFinished(api.close);
  const list = async () => (await api.call('POST', '/BOARDS', withId)).status;
  await list();
  const endless = {
    codeDirectory: resolve('bin/local-api/test/support/stub-functions'),
    handler: 'loops-at-import.handler',
  };
  const functions = deployment.functions.map((spec) => ({ ...spec, ...endless }));
  const end = new AbortController();

  const deployed = api.deploy({ ...deployment, functions, roles: new Map() }, end.signal);

  expect([await list(), await list()]).toEqual([200, 200]);
  end.abort();
  await expect(deployed).rejects.toThrow('aborted');
});

it('the local API has its tables where the AWS CLI looks at an origin', async () => {
  const api = await start();
  onTestFinished(api.close);
  const headers = { authorization: 'AWS4-HMAC-SHA256', 'x-amz-target': 'DynamoDB_20120810.ListTables' };

  const response = await fetch(new URL('/', api.baseUrl), { method: 'POST', headers, body: '{}' });

  expect(await response.json()).toEqual({ TableNames: deployment.tables.map(({ id }) => id).toSorted() });
});

it('the local API listens on one port only', async () => {
  using listen = vi.spyOn(Server.prototype, 'listen');

  const api = await start();
  onTestFinished(api.close);

  expect(listen).toHaveBeenCalledTimes(1);
});
