import type { ServerResponse } from 'node:http';
import { inspect } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { answerJson, type StubCall, startStubDynamodb } from '../../support/functions/stub-dynamodb.ts';

const error = (status: number, type: string) => (response: ServerResponse) =>
  answerJson(response, status, {
    __type: `com.amazonaws.dynamodb.v20120810#${type}`,
    message: 'It says why.',
  });
// Far more than comes in at once, so that some parts end within a character, wherever the first begins.
const manyDogs = ['', 'a', 'ab', 'abc'].map((start) => ({ name: { S: start + '🐕'.repeat(100_000) } }));
const trickle = (response: ServerResponse) => {
  const timer = setInterval(() => response.write(' '), 100);
  response.on('close', () => clearInterval(timer));
};
const startAnswer = (response: ServerResponse) => response.writeHead(200, { 'Content-Length': '99' });

/** What becomes of a call, by the name of its table. */
const answers: Readonly<Record<string, (response: ServerResponse) => unknown>> = {
  'throttles-the-table': error(400, 'ProvisionedThroughputExceededException'),
  'throttles-the-account': error(400, 'ThrottlingException'),
  'limits-requests': error(400, 'RequestLimitExceeded'),
  'does-not-know-the-role-yet': error(400, 'UnrecognizedClientException'),
  'answers-500': error(500, 'InternalServerError'),
  pauses: error(500, 'InternalServerError'),
  'answers-501': error(501, 'NotImplemented'),
  'answers-503-without-JSON': (response) => response.writeHead(503).end('<html>'),
  'resets-the-connection': (response) => response.destroy(),
  'cuts-its-answer-short': (response) => startAnswer(response).write('{', () => response.destroy()),
  'stays-silent': () => undefined,
  'stalls-in-its-answer': (response) => startAnswer(response).write('{'),
  'answers-garbage': (response) => response.end('{"Item":{"name":{"S":Bella'),
  'answers-what-is-no-answer': (response) => answerJson(response, 200, { Item: 'Bella' }),
  'refuses-without-a-reason': (response) => answerJson(response, 400, {}),
  trickles: (response) => trickle(startAnswer(response)),
  'answers-at-length': (response) => answerJson(response, 200, { Items: manyDogs }),
  answers: (response) => answerJson(response, 200, {}),
  'fails-once': (response) => (calls('fails-once') > 1 ? answerJson(response, 200, {}) : response.destroy()),
  ValidationException: error(400, 'ValidationException'),
  ResourceNotFoundException: error(400, 'ResourceNotFoundException'),
  AccessDeniedException: (response) =>
    answerJson(response, 400, {
      __type: 'com.amazon.coral.service#AccessDeniedException',
      Message: 'It says why.',
    }),
};

const received: StubCall[] = [];
const calls = (tableName: string) => received.filter((call) => call.tableName === tableName).length;
const stub = await startStubDynamodb((call, response) => {
  received.push(call);
  answers[call.tableName]?.(response);
});

Object.assign(process.env, { AWS_ENDPOINT_URL_DYNAMODB: stub.endpoint, AWS_SESSION_TOKEN: 'session' });
const { dynamodb } = await import('../../../shared/lambda/dynamodb.ts');
const getFrom = (TableName: string) => dynamodb('GetItem', { TableName, Key: { id: { N: '1' } } });

describe.concurrent('dynamodb', () => {
  afterAll(() => stub[Symbol.asyncDispose]());

  it.each([
    'throttles-the-table',
    'throttles-the-account',
    'limits-requests',
    'does-not-know-the-role-yet',
    'answers-500',
    'answers-501',
    'answers-503-without-JSON',
    'resets-the-connection',
    'cuts-its-answer-short',
    'stays-silent',
    'stalls-in-its-answer',
    'trickles',
    'answers-garbage',
    'answers-what-is-no-answer',
    'refuses-without-a-reason',
  ])(
    'is unavailable when DynamoDB %s, and says so within the time that a function has',
    async (tableName) => {
      const startedAt = performance.now();

      const error = await getFrom(tableName).catch((thrown: unknown) => thrown);

      expect(error).toMatchObject({
        name: 'ApiError',
        code: 'service_unavailable',
        cause: { name: 'UnavailableError' },
      });
      expect(performance.now() - startedAt).toBeLessThan(3800);
      // What is logged of it tells nothing of a pet.
      expect(inspect(error)).not.toContain('Bella');
    },
  );

  it.each([
    ['answers-500', 'InternalServerError: It says why.'],
    ['resets-the-connection', "DynamoDB can't be reached."],
    ['answers-garbage', 'DynamoDB answered with what is no answer.'],
  ])('tells the log why, when DynamoDB %s', async (tableName, message) => {
    await expect(getFrom(tableName)).rejects.toMatchObject({ cause: { message } });
  });

  it('says that an answer took too long, where that is the cause', async () => {
    const error = await getFrom('stalls-in-its-answer').catch((thrown: unknown) => thrown);

    expect(error).toMatchObject({ cause: { cause: { name: 'TimeoutError' } } });
  });

  it('pauses for 100 and for 200 ms between its three tries', async () => {
    const startedAt = performance.now();

    await expect(getFrom('pauses')).rejects.toMatchObject({ code: 'service_unavailable' });

    expect(calls('pauses')).toBe(3);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(295);
  });

  it('tries again before it gives up', async () => {
    expect(await getFrom('fails-once')).toEqual({});

    expect(calls('fails-once')).toBe(2);
  });

  it('puts together an answer whose parts end within a character', async () => {
    expect(await getFrom('answers-at-length')).toEqual({ Items: manyDogs });
  });

  it('keeps its connections, and signs each call with the session of the role, for the region', async () => {
    await getFrom('answers');

    const { headers } = received.find(({ tableName }) => tableName === 'answers') ?? {};
    expect(headers).toMatchObject({
      connection: 'keep-alive',
      'x-amz-target': 'DynamoDB_20120810.GetItem',
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
