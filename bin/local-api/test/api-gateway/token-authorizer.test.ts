import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { tokenAuthorizer } from '../../api-gateway/token-authorizer.ts';
import { createInvoker } from '../../lambda/invoker.ts';
import { arn } from '../../template/account.ts';
import { authorizer, stubDeployment, stubFunctionArn } from '../support/stub-deployment.ts';
import { stubProject } from '../support/stub-project.ts';

const invoker = createInvoker('', { project: stubProject });
await invoker.deploy(stubDeployment);
const invoked = vi.spyOn(invoker, 'invoke');
// Functions and the authorizer log their errors there.
vi.spyOn(process.stderr, 'write').mockReturnValue(true);
const logged = vi.spyOn(console, 'error').mockReturnValue();
afterEach(() => invoked.mockClear());
afterAll(() => invoker.close());

const methodArn = arn('execute-api', 'api/v1/GET/pets');
const otherMethodArn = arn('execute-api', 'api/v1/POST/pets');
const allowed = { client: 'acme', calls: '7', isTest: 'true', principalId: 'someone' };

/** Authorizes a token for two methods, and returns contexts or rejections. */
async function decisionsOn(token: string | undefined) {
  const authorize = tokenAuthorizer(authorizer, invoker);
  const decisionOn = (arn: string) => authorize(token, arn).catch((error: unknown) => error);
  return [await decisionOn(methodArn), await decisionOn(otherMethodArn)];
}

describe('a TOKEN authorizer', () => {
  it('invokes the function once per token, and returns the context as text', async () => {
    expect(await decisionsOn('Bearer allow')).toEqual([allowed, allowed]);
    expect(invoked).toHaveBeenCalledExactlyOnceWith(
      stubFunctionArn('authorize'),
      arn('execute-api', 'api/authorizers/authorizer'),
      { type: 'TOKEN', authorizationToken: 'Bearer allow', methodArn },
    );
  });

  it.each([
    ['a missing token without an invocation', undefined, 'UNAUTHORIZED', 0],
    ['a malformed token without an invocation', 'Bearer a b', 'UNAUTHORIZED', 0],
    ['a denial, from the cache the second time', 'Bearer deny', 'ACCESS_DENIED', 1],
    ['Unauthorized, which is not cached', 'Bearer unauthorized', 'UNAUTHORIZED', 2],
    ['any other error, which is not cached', 'Bearer broken', 'AUTHORIZER_CONFIGURATION_ERROR', 2],
    ['a malformed result, which is not cached', 'Bearer malformed', 'AUTHORIZER_CONFIGURATION_ERROR', 2],
  ])('rejects %s', async (_title, token, responseType, times) => {
    const rejected = expect.objectContaining({ responseType });

    expect(await decisionsOn(token)).toEqual([rejected, rejected]);
    expect(invoked).toHaveBeenCalledTimes(times);
  });

  it('names the source of a malformed result', async () => {
    logged.mockClear();

    await decisionsOn('Bearer malformed');

    const source = 'functions/../bin/local-api/test/support/stub-functions/index.mjs';
    const mistakes = 'principalId is missing, policyDocument is missing';
    expect(logged).toHaveBeenCalledWith(`ERROR ${source} returned a malformed result: ${mistakes}.`);
  });

  it('rejects a method that the cached policy does not name', async () => {
    expect(await decisionsOn('Bearer narrow')).toMatchObject([
      { client: 'acme' },
      { responseType: 'ACCESS_DENIED' },
    ]);
    expect(invoked).toHaveBeenCalledTimes(1);
  });

  it('caches a result for its TTL', async () => {
    const { now } = performance;
    let ahead = 0;
    using _clock = vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + ahead);
    const authorize = tokenAuthorizer(authorizer, invoker);
    await authorize('Bearer allow', methodArn);

    ahead = 50_000;
    await authorize('Bearer allow', methodArn);
    expect(invoked).toHaveBeenCalledTimes(1);
    ahead = 60_000;
    // The cache reads the clock once a millisecond.
    await vi.waitFor(async () => {
      await authorize('Bearer allow', methodArn);
      expect(invoked).toHaveBeenCalledTimes(2);
    }, 20_000);
  });
});
