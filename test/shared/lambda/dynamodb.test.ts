import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { inspect } from 'node:util';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, expect, it } from 'vitest';
import {
  loadAt,
  respondJson,
  type StubCall,
  startStubDynamodb,
} from '../../support/functions/stub-dynamodb.ts';

const error = (status: number, type: string) => (response: ServerResponse) =>
  respondJson(response, status, {
    __type: `com.amazonaws.dynamodb.v20120810#${type}`,
    message: 'It says why.',
  });
const trickle = (response: ServerResponse) => {
  const timer = setInterval(() => response.write(' '), 100);
  response.on('close', () => clearInterval(timer));
};
const startResponse = (response: ServerResponse) => response.writeHead(200, { 'Content-Length': '99' });
// Far more than comes in at once, so that some parts end within a character, wherever the first begins.
const manyDogs = ['', 'a', 'ab', 'abc'].map((start) => start + '🐕'.repeat(100_000));

/** What becomes of a call, by the name of its table. */
const responses: Readonly<Record<string, (response: ServerResponse) => unknown>> = {
  'throttles-the-table': error(400, 'ProvisionedThroughputExceededException'),
  'throttles-the-account': error(400, 'ThrottlingException'),
  'limits-requests': error(400, 'RequestLimitExceeded'),
  'does-not-know-the-role-yet': error(400, 'UnrecognizedClientException'),
  'responds-with-500': error(500, 'InternalServerError'),
  'responds-with-501': error(501, 'NotImplemented'),
  'responds-with-503-without-JSON': (response) => response.writeHead(503).end('<html>'),
  'resets-the-connection': (response) => response.destroy(),
  'always-fails': (response) => response.destroy(),
  'cuts-its-response-short': (response) => startResponse(response).write('{', () => response.destroy()),
  'stays-silent': () => undefined,
  'stalls-in-its-response': (response) => startResponse(response).write('{'),
  trickles: (response) => trickle(startResponse(response)),
  'responds-with-garbage': (response) => response.end('{"Item":{"name":{"S":Bella'),
  'refuses-without-a-reason': (response) => respondJson(response, 400, {}),
  'responds-at-length': (response) =>
    respondJson(response, 200, { Item: { dogs: { L: manyDogs.map((S) => ({ S })) } } }),
  responds: (response) => respondJson(response, 200, {}),
  'fails-once': (response) => (calls('fails-once') > 1 ? respondJson(response, 200, {}) : response.destroy()),
  ValidationException: error(400, 'ValidationException'),
  ResourceNotFoundException: error(400, 'ResourceNotFoundException'),
  AccessDeniedException: (response) =>
    respondJson(response, 400, {
      __type: 'com.amazon.coral.service#AccessDeniedException',
      Message: 'It says why.',
    }),
};

const received: StubCall[] = [];
const calls = (tableName: string) => received.filter((call) => call.tableName === tableName).length;
const stub = await startStubDynamodb((call, response) => {
  received.push(call);
  responses[call.tableName]?.(response);
});
afterAll(() => stub[Symbol.asyncDispose]());

Object.assign(process.env, { AWS_ENDPOINT_URL: stub.endpoint, AWS_SESSION_TOKEN: 'session' });

const { dynamodb } = await import('../../../shared/lambda/dynamodb.ts');
const getFrom = (TableName: string, client = dynamodb) =>
  client.send(new GetCommand({ TableName, Key: { id: 1n } }));

describe.concurrent('dynamodb', () => {
  it.each([
    'throttles-the-table',
    'throttles-the-account',
    'limits-requests',
    'does-not-know-the-role-yet',
    'responds-with-500',
    'responds-with-501',
    'responds-with-503-without-JSON',
    'resets-the-connection',
    'cuts-its-response-short',
    'stays-silent',
    'stalls-in-its-response',
    'trickles',
    'responds-with-garbage',
    'refuses-without-a-reason',
  ])(
    'is unavailable when DynamoDB %s, and says so within the time that a function has',
    async (tableName) => {
      const startedAt = performance.now();

      const thrown = await getFrom(tableName).catch((error: unknown) => error);

      expect(thrown).toMatchObject({
        name: 'ApiError',
        code: 'service_unavailable',
        cause: expect.any(Error),
      });
      expect(performance.now() - startedAt).toBeLessThan(4200);
      // What is logged of it tells nothing of a pet.
      expect(inspect(thrown)).not.toContain('Bella');
    },
  );

  it.each([
    ['responds-with-500', { name: 'InternalServerError', message: 'It says why.' }],
    ['resets-the-connection', { code: 'ECONNRESET' }],
    ['responds-with-garbage', { message: 'DynamoDB sent an unreadable response.' }],
    ['stays-silent', { name: 'TimeoutError' }],
    ['trickles', { name: 'TimeoutError' }],
  ])('tells the log why, when DynamoDB %s', async (tableName, cause) => {
    await expect(getFrom(tableName)).rejects.toMatchObject({ cause });
  });

  it('tries three times before it gives up', async () => {
    await expect(getFrom('always-fails')).rejects.toMatchObject({ code: 'service_unavailable' });

    expect(calls('always-fails')).toBe(3);
  });

  it('tries again, and then has the response', async () => {
    expect(await getFrom('fails-once')).toMatchObject({ $metadata: { attempts: 2 } });
  });

  it('puts together a response whose parts end within a character', async () => {
    expect(await getFrom('responds-at-length')).toMatchObject({ Item: { dogs: manyDogs } });
  });

  it('keeps its connections, and signs each call with the session of the role, for the region', async () => {
    await getFrom('responds');

    const { headers } = received.find(({ tableName }) => tableName === 'responds') ?? {};
    expect(headers).toMatchObject({
      connection: 'keep-alive',
      'x-amz-security-token': 'session',
      authorization: expect.stringMatching(
        /^AWS4-HMAC-SHA256 Credential=test\/\d{8}\/us-east-1\/dynamodb\/aws4_request, /,
      ),
    });
  });

  it.each(['ValidationException', 'ResourceNotFoundException', 'AccessDeniedException'])(
    'passes %s through as it is: that is a defect of the service',
    async (name) => {
      await expect(getFrom(name)).rejects.toMatchObject({ name, message: 'It says why.' });

      expect(calls(name)).toBe(1);
    },
  );
});

describe('a connection that DynamoDB has cut since the last call', () => {
  it('is replaced in the same call', async () => {
    const sockets = new Set<Socket>();
    await using forgetful = await startStubDynamodb((_call, response) => {
      const { socket } = response.req;
      if (sockets.has(socket)) socket.destroy();
      else respondJson(response, 200, {});
      sockets.add(socket);
    });
    const loaded = await loadAt(forgetful.endpoint, () => import('../../../shared/lambda/dynamodb.ts'));

    await getFrom('pets', loaded.dynamodb);
    const second = await getFrom('pets', loaded.dynamodb);

    expect(second).toMatchObject({ $metadata: { attempts: 2 } });
    expect(sockets.size).toBe(2);
  });
});
