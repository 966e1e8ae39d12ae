import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { largeTimeLimits, type TimeLimits } from '../../support/functions/large-time-limits.ts';
import { respondJson, type StubCall, startStubDynamodb } from '../../support/functions/stub-dynamodb.ts';

type Respond = (response: ServerResponse) => unknown;

const error = (status: number, type: string) => (response: ServerResponse) =>
  respondJson(response, status, { __type: `com.amazonaws.dynamodb.v20120810#${type}`, message: 'Because.' });
const startResponse = (response: ServerResponse) => response.writeHead(200, { 'Content-Length': '99' });
const trickle = (response: ServerResponse) => {
  const timer = setInterval(() => response.write(' '), 50);
  response.on('close', () => clearInterval(timer));
};

const unreadable = { message: 'DynamoDB sent an unreadable response.' };
const lost = { code: 'ECONNRESET' };

/** What DynamoDB does, how many attempts are made, and the logged cause. */
const faults: readonly [fault: string, respond: Respond, attempts: number, cause: object][] = [
  ['throttles the account', error(400, 'ThrottlingException'), 3, { name: 'ThrottlingException' }],
  ['does not know the role yet', error(400, 'UnrecognizedClientException'), 1, { message: 'Because.' }],
  ['responds with 500', error(500, 'InternalServerError'), 3, { name: 'InternalServerError' }],
  ['responds with 501', error(501, 'NotImplemented'), 1, { name: 'NotImplemented' }],
  ['responds with 503 without JSON', (response) => response.writeHead(503).end('<html>'), 3, unreadable],
  ['resets the connection', (response) => response.destroy(), 3, lost],
  ['responds with garbage', (response) => response.end('{"Item":{"name":{"S":Bella'), 1, unreadable],
  ['responds with nothing', (response) => response.writeHead(200).end(), 1, unreadable],
  ['rejects without a reason', (response) => respondJson(response, 400, {}), 1, { name: 'Unknown' }],
];

/** What DynamoDB does that only a limit of time ends. */
const delays: Readonly<Record<string, Respond>> = {
  'stays silent': () => undefined,
  'stalls midway': (response) => startResponse(response).write('{'),
  trickles: (response) => trickle(startResponse(response)),
};

/** The connections of the calls that get a response at once. */
const connections = new Set<unknown>();

/** The responses, by the name of the table. */
const responses: Readonly<Record<string, Respond>> = {
  ...Object.fromEntries(faults),
  ...delays,
  responds: (response) => {
    connections.add(response.socket);
    respondJson(response, 200, {});
  },
  'responds once': (response) => respondJson(response, 200, {}),
  'rejects the call': error(400, 'AccessDeniedException'),
  'rejects it with a clock that is five minutes slow': (response) => {
    response.setHeader('Date', new Date(Date.now() - 300_000).toUTCString());
    return error(400, 'ConditionalCheckFailedException')(response);
  },
};

const received: StubCall[] = [];
const callsOf = (table: string) => received.filter(({ tableName }) => tableName === table);
const stub = await startStubDynamodb((call, response) => {
  received.push(call);
  responses[call.tableName]?.(response);
});

// Retries without pauses.
vi.spyOn(Math, 'random').mockReturnValue(0);
vi.stubEnv('AWS_ENDPOINT_URL', stub.endpoint);
vi.stubEnv('AWS_SESSION_TOKEN', 'session');

/** Returns a client with limits of its own: the others are too large for any machine to exceed. */
async function clientWith(limits: Partial<TimeLimits>) {
  vi.doMock('../../../shared/lambda/time-limits.ts', () => ({
    timeLimits: { ...largeTimeLimits, ...limits },
  }));
  vi.resetModules();
  const { dynamodb } = await import('../../../shared/tables/dynamodb.ts');
  return (TableName: string) => dynamodb.send(new GetCommand({ TableName, Key: { id: 1n } }));
}
const getFrom = await clientWith({});

afterAll(() => stub[Symbol.asyncDispose]());

// The first call takes longer.
await getFrom('responds');

it('copies no item for a logger', async () => {
  const resolve = vi.spyOn(GetCommand.prototype, 'resolveMiddleware');

  await getFrom('responds once');

  const [stack] = resolve.mock.calls[0] ?? [];
  expect(stack?.identify().join()).toContain('retryMiddleware');
  expect(stack?.identify().join()).not.toContain('loggerMiddleware');
});

it('signs each call with the session of the role, over a connection that it keeps', async () => {
  await getFrom('responds');

  const headers = { 'x-amz-security-token': 'session' };
  expect(callsOf('responds')).toMatchObject([{ headers }, { headers }]);
  expect(connections.size).toBe(1);
});

describe.concurrent('dynamodb', () => {
  it.each(faults)('throws service_unavailable when DynamoDB %s', async (fault, _respond, attempts, cause) => {
    const thrown = await getFrom(fault).catch((error: unknown) => error);

    expect(thrown).toMatchObject({ name: 'ApiError', code: 'service_unavailable', cause });
    expect(callsOf(fault)).toHaveLength(attempts);
    // The log must not reveal a pet.
    expect(inspect(thrown)).not.toContain('Bella');
  });

  it.each([
    ['rejects the call', 'AccessDeniedException', 1],
    ['rejects it with a clock that is five minutes slow', 'ConditionalCheckFailedException', 3],
  ])('throws the error unchanged when DynamoDB %s', async (rejection, name, attempts) => {
    await expect(getFrom(rejection)).rejects.toMatchObject({ name, message: 'Because.' });

    expect(callsOf(rejection)).toHaveLength(attempts);
  });
});

it.each(['stays silent', 'stalls midway'])('dynamodb ends each attempt when DynamoDB %s', async (delay) => {
  const get = await clientWith({ silence: 200 });

  const thrown = await get(delay).catch((error: unknown) => error);

  const cause = { name: 'TimeoutError', $metadata: { attempts: 3 } };
  expect(thrown).toMatchObject({ name: 'ApiError', code: 'service_unavailable', cause });
});

it('dynamodb ends a call when DynamoDB trickles', async () => {
  const get = await clientWith({ call: 300 });

  const thrown = await get('trickles').catch((error: unknown) => error);

  const cause = { name: 'TimeoutError', message: 'The operation was aborted due to timeout' };
  expect(thrown).toMatchObject({ name: 'ApiError', code: 'service_unavailable', cause });
});
