import { afterAll, afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { TokenAuthorizer } from '../../../../infra/local/api-gateway/token-authorizer.ts';
import { Invoker } from '../../../../infra/local/lambda/invoker.ts';
import { arn } from '../../../../infra/local/template/account.ts';
import { authorizer, stubDeployment } from '../../../support/infra/stub-deployment.ts';

const invoker = new Invoker(stubDeployment, () => ({}));
const asked = vi.spyOn(invoker, 'invoke');
// The functions log there what they throw.
vi.spyOn(process.stderr, 'write').mockReturnValue(true);
const methodArn = arn('execute-api', 'api/v1/GET/pets');
const otherMethodArn = arn('execute-api', 'api/v1/POST/pets');

const newAuthorizer = (ttlSeconds = 60) => new TokenAuthorizer({ ...authorizer, ttlSeconds }, 'api', invoker);

/** A clock for the cache, which reads performance.now() and keeps what it read until a timer of its own has run. */
function startClock() {
  let now = 1000;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const reading = vi.spyOn(performance, 'now').mockImplementation(() => now);
  onTestFinished(() => reading.mockRestore());
  return {
    advance(milliseconds: number) {
      now += milliseconds;
      vi.advanceTimersByTime(milliseconds);
    },
  };
}

afterEach(() => {
  asked.mockClear();
  vi.useRealTimers();
});
afterAll(() => invoker.close());

describe('the decision of a TOKEN authorizer', () => {
  it('lets a request on with the context as text', async () => {
    const decision = await newAuthorizer().authorize('Bearer allow', methodArn);

    expect(decision).toEqual({
      context: { client: 'acme', calls: '7', isTest: 'true', principalId: 'someone' },
    });
  });

  it('asks the function on behalf of the authorizer', async () => {
    await newAuthorizer().authorize('Bearer allow', methodArn);

    expect(asked).toHaveBeenCalledExactlyOnceWith(
      authorizer.functionArn,
      arn('execute-api', 'api/authorizers/authorizer'),
      { type: 'TOKEN', authorizationToken: 'Bearer allow', methodArn },
    );
  });

  it.each([undefined, '', 'allow', 'Bearer', 'Bearer a b', 'Basic allow'])(
    'refuses the token %j, which has not the form, without asking the function',
    async (token) => {
      const decision = await newAuthorizer().authorize(token, methodArn);

      expect(decision).toMatchObject({ gatewayResponseType: 'UNAUTHORIZED' });
      expect(asked).not.toHaveBeenCalled();
    },
  );

  it.each([
    ['denies', 'deny', 'ACCESS_DENIED'],
    ['throws Unauthorized', 'unauthorized', 'UNAUTHORIZED'],
    ['throws anything else', 'broken', 'AUTHORIZER_CONFIGURATION_ERROR'],
    ['gives no policy', 'malformed', 'AUTHORIZER_CONFIGURATION_ERROR'],
  ])('is a gatewayResponseType when the function %s', async (_title, wish, gatewayResponseType) => {
    const decision = await newAuthorizer().authorize(`Bearer ${wish}`, methodArn);

    expect(decision).toMatchObject({ gatewayResponseType });
  });

  it('is a gatewayResponseType for a method that the cached policy does not name', async () => {
    const tokenAuthorizer = newAuthorizer();
    await tokenAuthorizer.authorize('Bearer narrow', methodArn);

    const decision = await tokenAuthorizer.authorize('Bearer narrow', otherMethodArn);

    expect(decision).toMatchObject({ gatewayResponseType: 'ACCESS_DENIED' });
    expect(asked).toHaveBeenCalledTimes(1);
  });
});

describe('the cache of a TOKEN authorizer', () => {
  it.each(['allow', 'deny'])('keeps the policy for %s for 60 s', async (wish) => {
    const clock = startClock();
    const tokenAuthorizer = newAuthorizer();
    const first = await tokenAuthorizer.authorize(`Bearer ${wish}`, methodArn);

    clock.advance(60_000);
    const last = await tokenAuthorizer.authorize(`Bearer ${wish}`, otherMethodArn);
    expect(last).toEqual(first);
    expect(asked).toHaveBeenCalledTimes(1);

    clock.advance(1);
    await tokenAuthorizer.authorize(`Bearer ${wish}`, otherMethodArn);
    expect(asked).toHaveBeenCalledTimes(2);
  });

  it('is by the token', async () => {
    const tokenAuthorizer = newAuthorizer();
    await tokenAuthorizer.authorize('Bearer allow', methodArn);

    const decision = await tokenAuthorizer.authorize('Bearer deny', methodArn);

    expect(decision).toMatchObject({ gatewayResponseType: 'ACCESS_DENIED' });
  });

  it.each(['broken', 'malformed', 'unauthorized'])('keeps nothing when the function is %s', async (wish) => {
    const tokenAuthorizer = newAuthorizer();

    await tokenAuthorizer.authorize(`Bearer ${wish}`, methodArn);
    await tokenAuthorizer.authorize(`Bearer ${wish}`, methodArn);

    expect(asked).toHaveBeenCalledTimes(2);
  });

  it('keeps nothing when the template turns it off', async () => {
    const tokenAuthorizer = newAuthorizer(0);

    await tokenAuthorizer.authorize('Bearer allow', methodArn);
    await tokenAuthorizer.authorize('Bearer allow', methodArn);

    expect(asked).toHaveBeenCalledTimes(2);
  });
});
