import { randomInt } from 'node:crypto';
import { Agent, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, describe, expect, it, type TestContext, vi } from 'vitest';
import { issueKey, revokeKey } from '../../../../bin/keys/commands.ts';
import { openStage } from '../../../../bin/keys/stage.ts';
import { Gateway } from '../../../../infra/local/api-gateway/gateway.ts';
import { createTables } from '../../../../infra/local/dynamodb/create-tables.ts';
import { close, listen } from '../../../../infra/local/http/listen.ts';
import { createHttpServer } from '../../../../infra/local/http-server.ts';
import { Invoker } from '../../../../infra/local/lambda/invoker.ts';
import { account } from '../../../../infra/local/template/account.ts';
import { readDeployment } from '../../../../infra/local/template/deployment.ts';
import { synthesize } from '../../../../infra/local/template/synthesize.ts';
import { apiKeyHash, generateApiKey } from '../../../../shared/contract/api-key.ts';
import { errorBody, errorHeaders } from '../../../../shared/contract/errors/error-table.ts';
import { recordDynamodb } from '../../../support/functions/recorded-dynamodb.ts';
import { altered, resourceOf } from '../../../support/infra/template.ts';
import { startLocalApiWithKey } from '../../../support/local/local-api-key.ts';
import { startDynamodb } from '../../../support/setup/start-dynamodb.ts';

const stack = synthesize('staging');
afterAll(stack.dispose);

describe.concurrent('a revoked key', () => {
  it('is refused at once where it was never used, and else within the cache time', async ({
    onTestFinished,
  }) => {
    const stackWithShortCache = altered(stack, (resources) => {
      resourceOf(resources, 'AWS::ApiGateway::Authorizer').Properties['AuthorizerResultTtlInSeconds'] = 1;
    });
    const api = await startLocalApiWithKey(stackWithShortCache, { port: 0 });
    onTestFinished(api.close);
    const stage = await openStage({ stage: 'local', port: Number(new URL(api.baseUrl).port) });
    const [used, unused] = [
      await issueKey(stage, { client: 'acme' }),
      await issueKey(stage, { client: 'acme' }),
    ];
    const statusFor = async (key: string) =>
      (await fetch(`${api.baseUrl}/pets`, { headers: { Authorization: `Bearer ${key}` } })).status;
    expect(await statusFor(used.key)).toBe(200);

    await revokeKey(stage, used.keyId);
    await revokeKey(stage, unused.keyId);

    expect(await statusFor(unused.key)).toBe(401);
    await vi.waitFor(async () => expect(await statusFor(used.key)).toBe(401), {
      timeout: 10_000,
      interval: 50,
    });
    expect(await statusFor(api.apiKey)).toBe(200);
  });
});

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomText = (length: number) =>
  Array.from({ length }, () => base62.charAt(randomInt(base62.length))).join('');

/** Random Authorization headers that the authorizer's expression already refuses. */
const malformed = Array.from({ length: 200 }, () => [
  randomText(55),
  `Bearer ${randomText(55)}`,
  `Bearer petstore_staging_${randomText(randomInt(38))}`,
  `Bearer petstore_staging_${randomText(39 + randomInt(38))}`,
  `Basic ${generateApiKey('staging')}`,
  `Bearer ${generateApiKey('production')}`,
]).flat();

/** Random ones that have the form of a key of the stage, and a checksum that does not hold. */
const mistyped = Array.from({ length: 800 }, () => `Bearer petstore_staging_${randomText(38)}`);

const unauthorized = `401 ${errorHeaders('unauthorized')['WWW-Authenticate']} ${errorBody('unauthorized')}`;

describe.concurrent('2,000 random wrong keys', () => {
  it('are refused without a read, and without an invocation where the expression refuses them', async ({
    onTestFinished,
  }) => {
    const { get, invoked, keyHashesRead } = await serve(onTestFinished);

    const responses = await Promise.all(malformed.map(get));
    expect(invoked).not.toHaveBeenCalled();

    responses.push(...(await Promise.all(mistyped.map(get))));
    expect(invoked).toHaveBeenCalledTimes(mistyped.length);
    expect(keyHashesRead).toStrictEqual([]);

    expect(responses).toHaveLength(2000);
    expect(new Set(responses)).toStrictEqual(new Set([unauthorized]));

    const unknown = generateApiKey('staging');
    expect(await get(`Bearer ${unknown}`)).toBe(unauthorized);
    expect(keyHashesRead).toStrictEqual([apiKeyHash(unknown)]);
  });
});

/** Serves the stack with throttling for a crowd, and watches what it invokes and reads. */
async function serve(onTestFinished: TestContext['onTestFinished']) {
  const declared = readDeployment(stack);
  const routes = declared.routes.map((route) => ({ ...route, throttling: { rate: 10_000, burst: 10_000 } }));
  const deployment = { ...declared, routes };
  const dynamodb = await startDynamodb((role) => deployment.roles.get(role));
  const recorded = await recordDynamodb(dynamodb.endpoint);
  const operator = new DynamoDBClient({
    endpoint: dynamodb.endpoint,
    region: account.region,
    credentials: { accessKeyId: 'operator', secretAccessKey: 'none' },
  });
  await createTables(operator, deployment.tables);
  const invoker = new Invoker(deployment, (role) => ({
    AWS_REGION: account.region,
    AWS_ACCESS_KEY_ID: role,
    AWS_SECRET_ACCESS_KEY: 'none',
    AWS_ENDPOINT_URL: recorded.endpoint,
  }));
  const invoked = vi.spyOn(invoker, 'invoke');
  const gateway = new Gateway(deployment, invoker);
  const server = createHttpServer({ gateway, toAccessLogLine: () => '', pages: new Map() }, () => undefined);
  const port = await listen(server);
  const agent = new Agent({ keepAlive: true, maxSockets: 32 });
  onTestFinished(async () => {
    operator.destroy();
    agent.destroy();
    await close(server);
    await invoker.close();
    await recorded[Symbol.asyncDispose]();
    await dynamodb.close();
  });

  return {
    /** The response to a request with an Authorization header, in one line. */
    async get(Authorization: string) {
      const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
      request({ agent, host: '127.0.0.1', port, path: '/v1/pets', headers: { Authorization } }, resolve)
        .on('error', reject)
        .end();
      const response = await promise;
      return `${response.statusCode} ${response.headers['www-authenticate']} ${await text(response)}`;
    },
    invoked,
    keyHashesRead: recorded.keyHashesRead,
  };
}
