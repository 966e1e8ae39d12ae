import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { generateApiKey } from '../../../shared/contract/api-key.ts';
import type { Exit } from './local-process.ts';

/** A secret as Basic authentication, say, has it. */
const base64 = (secret: string) => Buffer.from(secret).toString('base64url');

/** What of a request holds the key; the rest is a list of pets. */
interface Place {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Every place of a request that can hold a key. */
function placesFor(key: string): Place[] {
  const post = (body: string): Place => ({ method: 'POST', path: '/v1/pets', body });
  const encoded = key.replaceAll('_', '%5F');
  return [
    ...[
      key,
      `Bearer ${key}`,
      `bearer   ${key}`,
      `Bearer ${key} ${key}`,
      `Bearer ${key}=`,
      `Bearer ${generateApiKey('production')}, Bearer ${key}`,
      `Basic ${base64(`acme:${key}`)}`,
      `Basic ${base64(`${key}:`)}`,
      `Digest username="${key}"`,
    ].map((Authorization) => ({ headers: { Authorization } })),
    ...[
      'X-Api-Key',
      'Cookie',
      'Host',
      'User-Agent',
      'Referer',
      'Accept',
      'Expect',
      'Forwarded',
      'X-Forwarded-For',
      'X-Forwarded-Proto',
      'X-Amzn-Trace-Id',
      'X-Amzn-RequestId',
      key,
    ].map((name) => ({ headers: { [name]: name === key ? '1' : key } })),
    ...[
      `/v1/pets?${key}`,
      `/v1/pets?api_key=${key}`,
      `/v1/pets?limit=${key}`,
      `/v1/pets?status=${encoded}`,
      `/v1/pets?cursor=${key}`,
      `/v1/pets?cursor=${base64(key)}`,
      `/v1/pets/${key}`,
      `/v1/pets/${encoded}`,
      `/v1/pets/${key}/%`,
      `/v1/${key}`,
      `/${key}/pets`,
      `http://${key}@pets.example/v1/pets`,
    ].map((path) => ({ path })),
    post(key),
    post(`{"name":"${key}`),
    post(JSON.stringify({ name: key, categoryId: 1 })),
    post(JSON.stringify({ name: 'Bella', categoryId: key })),
    post(JSON.stringify({ name: 'Bella', categoryId: 1, status: key })),
    post(JSON.stringify({ [key]: key })),
    { ...post('{"name":"Bella","categoryId":1}'), headers: { 'Idempotency-Key': key } },
    { ...post('{"name":"Bella","categoryId":1}'), headers: { 'Idempotency-Key': `"${key}` } },
    { ...post('{"name":"Bella","categoryId":1}'), headers: { 'Content-Type': key } },
    { method: 'POST', path: '/_aws/', body: `Action=${key}` },
    { method: 'POST', path: '/_aws/', body: `Action=DescribeStacks&StackName=${key}` },
    { method: 'POST', path: '/_aws/', headers: { 'X-Amz-Target': key } },
    {
      method: 'POST',
      path: '/_aws/',
      headers: { 'X-Amz-Target': 'DynamoDB_20120810.GetItem' },
      body: JSON.stringify({ TableName: key, Key: { keyHash: { S: key } } }),
    },
  ];
}

/** Sends a key in every place, with and without a good Authorization, and gives the ids of the requests to the API. */
export async function sendEverywhere(port: string, key: string): Promise<string[]> {
  const agent = new Agent({ keepAlive: true });
  const requestIds: string[] = [];
  for (const place of placesFor(key)) {
    for (const authorization of [{ Authorization: `Bearer ${key}` }, {}]) {
      const { path = '/v1/pets', method = 'GET', headers, body } = place;
      const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
      request(
        { agent, host: '127.0.0.1', port, path, method, headers: { ...authorization, ...headers } },
        resolve,
      )
        .on('error', reject)
        .end(body);
      const response = await promise;
      await text(response);
      if (!path.startsWith('/_aws/')) requestIds.push(String(response.headers['x-amzn-requestid']));
    }
  }
  agent.destroy();

  for (const malformed of [
    `${key} /v1/pets HTTP/1.1\r\n\r\n`,
    `GET /v1/pets?${key} HTTP/9.9\r\n\r\n`,
    `GET /v1/pets HTTP/1.1\r\n${key}\r\n\r\n`,
    `GET /v1/pets HTTP/1.1\r\nX-Api-Key: ${key.repeat(320)}\r\n\r\n`,
  ]) {
    const socket = connect(Number(port), '127.0.0.1');
    socket.end(malformed);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /);
  }
  return requestIds;
}

/** Expects a process to have printed a line of each request, and none with the key. */
export function expectNoKey(
  key: string,
  requestIds: readonly string[],
  { exitCode, stdout, stderr }: Exit,
): void {
  const lines = `${stdout}${stderr}`.split('\n');
  const secrets = [key.slice(-38), ...[key, `acme:${key}`, `${key}:`].map(base64)];
  const hasSecret = (line: string) => secrets.some((secret) => line.includes(secret));

  expect(exitCode).toBe(0);
  expect(requestIds.filter((id) => !lines.some((line) => line.includes(id)))).toStrictEqual([]);
  expect(lines.filter(hasSecret)).toStrictEqual([]);
}
