import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { TokenAuthorizer } from '../../../../infra/local/api-gateway/token-authorizer.ts';
import { Invoker } from '../../../../infra/local/lambda/invoker.ts';
import { arn } from '../../../../infra/local/template/account.ts';
import { authorizer, stubDeployment } from '../../../support/infra/stub-deployment.ts';

const invoker = new Invoker(() => ({}));
invoker.deploy(stubDeployment);
const asked = vi.spyOn(invoker, 'invoke');
// The functions log there what they throw.
vi.spyOn(process.stderr, 'write').mockReturnValue(true);
afterEach(() => asked.mockClear());
afterAll(() => invoker.close());

const methodArn = arn('execute-api', 'api/v1/GET/pets');
const otherMethodArn = arn('execute-api', 'api/v1/POST/pets');
const allowed = { client: 'acme', calls: '7', isTest: 'true', principalId: 'someone' };

/** Authorizes a token twice, for two methods: the context or the rejection. How long a policy is kept is tested elsewhere. */
async function decisionsOn(token: string | undefined, ttlSeconds = 60) {
  const tokenAuthorizer = new TokenAuthorizer({ ...authorizer, ttlSeconds }, 'api', invoker);
  const authorize = (arn: string) => tokenAuthorizer.authorize(token, arn).catch((error: unknown) => error);
  return [await authorize(methodArn), await authorize(otherMethodArn)];
}

describe('a TOKEN authorizer', () => {
  it('asks the function once, on behalf of the authorizer, and lets requests on with the context as text', async () => {
    expect(await decisionsOn('Bearer allow')).toEqual([allowed, allowed]);
    expect(asked).toHaveBeenCalledExactlyOnceWith(
      authorizer.functionArn,
      arn('execute-api', 'api/authorizers/authorizer'),
      { type: 'TOKEN', authorizationToken: 'Bearer allow', methodArn },
    );
  });

  it.each([undefined, '', 'Bearer a b'])(
    'refuses the token %j, which has not the form, without asking the function',
    async (token) => {
      const refused = expect.objectContaining({ responseType: 'UNAUTHORIZED' });

      expect(await decisionsOn(token)).toEqual([refused, refused]);
      expect(asked).not.toHaveBeenCalled();
    },
  );

  it.each([
    ['denies, and keeps that', 'deny', 'ACCESS_DENIED', 1],
    ['throws Unauthorized, and keeps nothing', 'unauthorized', 'UNAUTHORIZED', 2],
    ['throws anything else, and keeps nothing', 'broken', 'AUTHORIZER_CONFIGURATION_ERROR', 2],
    ['gives no policy, and keeps nothing', 'malformed', 'AUTHORIZER_CONFIGURATION_ERROR', 2],
  ])('refuses a token for which the function %s', async (_title, wish, responseType, times) => {
    const refused = expect.objectContaining({ responseType });

    expect(await decisionsOn(`Bearer ${wish}`)).toEqual([refused, refused]);
    expect(asked).toHaveBeenCalledTimes(times);
  });

  it('refuses a method that the cached policy does not name', async () => {
    expect(await decisionsOn('Bearer narrow')).toMatchObject([
      { client: 'acme' },
      { responseType: 'ACCESS_DENIED' },
    ]);
    expect(asked).toHaveBeenCalledTimes(1);
  });

  it('keeps nothing when the template turns the cache off', async () => {
    await decisionsOn('Bearer allow', 0);

    expect(asked).toHaveBeenCalledTimes(2);
  });
});
