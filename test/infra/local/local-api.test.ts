import { Server } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startLocalApi } from '../../../infra/local/local-api.ts';
import { readDeployment } from '../../../infra/local/template/deployment.ts';
import { stubProject } from '../../support/infra/stub-project.ts';
import { notesAssembly } from '../../support/local/notes-assembly.ts';

const deployment = readDeployment(notesAssembly(), stubProject);

async function start(served = deployment) {
  const api = await startLocalApi(served, { port: 0, project: stubProject });
  const call = async (method: string, path: string, body?: object) => {
    const init = { method, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(`${api.baseUrl}${path}`, init);
    const text = await response.text();
    return { status: response.status, body: text && JSON.parse(text) };
  };
  return { ...api, call };
}

describe('a service with two tables, one of which has a composite key', () => {
  let api: Awaited<ReturnType<typeof start>>;
  beforeAll(async () => {
    api = await start();
  });
  afterAll(() => api.close());

  it('creates, gets, updates, lists and deletes', async () => {
    expect(await api.call('POST', '/boards', { id: 'a b' })).toEqual({ status: 201, body: { id: 'a b' } });
    expect(await api.call('GET', '/boards/a%20b')).toEqual({ status: 200, body: { id: 'a b' } });
    for (const number of [10, 9]) await api.call('POST', '/boards/a%20b/notes', { number, text: 'new' });

    const updated = await api.call('PATCH', '/boards/a%20b/notes/10', { text: 'changed' });

    expect(updated).toEqual({ status: 200, body: { number: 10, text: 'changed' } });
    const { body: notes } = await api.call('GET', '/boards/a%20b/notes');
    expect(notes).toEqual([
      { number: 9, text: 'new' },
      { number: 10, text: 'changed' },
    ]);
    expect(await api.call('DELETE', '/boards/a%20b/notes/9')).toEqual({ status: 204, body: '' });
    expect(await api.call('GET', '/boards/a%20b/notes')).toMatchObject({ body: [{ number: 10 }] });
  });

  it("gets API Gateway's own response where the template declares none", async () => {
    expect(await api.call('GET', '/nowhere')).toEqual({
      status: 403,
      body: { message: 'Missing Authentication Token' },
    });
  });

  it("gets API Gateway's own response when the function fails", async () => {
    using _written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);

    const response = await api.call('POST', '/boards', { id: '' });

    expect(response).toEqual({ status: 502, body: { message: 'Internal server error' } });
  });

  it('is told what to allow', async () => {
    using logged = vi.spyOn(console, 'error').mockReturnValue();
    using _written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const roles = new Map([...deployment.roles.keys()].map((role) => [role, []]));
    const denied = await start({ ...deployment, roles });
    onTestFinished(denied.close);

    await denied.call('GET', '/boards/a');

    expect(logged).toHaveBeenCalledExactlyOnceWith(
      expect.stringMatching(/^the permissions does not allow \S+ to call dynamodb:GetItem on table\/\S+\.$/),
    );
  });
});

it('repeats a hint after a reload', async () => {
  using logged = vi.spyOn(console, 'error').mockReturnValue();
  const api = await start();
  onTestFinished(api.close);
  const [role = ''] = deployment.roles.keys();
  const call = {
    method: 'POST',
    headers: {
      'X-Amz-Target': 'DynamoDB_20120810.GetItem',
      Authorization: `AWS4-HMAC-SHA256 Credential=role:${role}/20261120/us-east-1/dynamodb/aws4_request`,
    },
    body: '{}',
  };
  const endpoint = new URL('/_aws/', api.baseUrl);
  await fetch(endpoint, call);
  logged.mockClear();

  await api.deploy({ ...deployment });
  await fetch(endpoint, call);

  expect(logged).toHaveBeenCalledExactlyOnceWith(`The call dynamodb:GetItem of ${role} names no table.`);
});

it('a reload creates missing tables', async () => {
  const api = await start({ ...deployment, tables: [] });
  onTestFinished(api.close);

  await api.deploy(deployment);

  expect(await api.call('GET', '/boards/a')).toEqual({ status: 404, body: {} });
});

it('the local API listens on one port only', async () => {
  using listen = vi.spyOn(Server.prototype, 'listen');

  const api = await start();
  onTestFinished(api.close);

  expect(listen).toHaveBeenCalledTimes(1);
});
