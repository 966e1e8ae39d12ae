import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import type { Invoker } from '../lambda/invoker.ts';
import { arn } from '../template/account.ts';
import type { Authorizer } from '../template/deployment.ts';
import { isAllowed, PolicyDocument } from '../template/policy.ts';
import { reportMalformedResult } from './malformed-result.ts';
import { GatewayRejection } from './own-responses.ts';

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-lambda-authorizer-output.html */
const AuthorizerResult = v.object({
  principalId: v.string(),
  policyDocument: PolicyDocument,
  context: v.optional(v.record(v.string(), v.union([v.string(), v.number(), v.boolean()])), {}),
});
type AuthorizerResult = v.InferOutput<typeof AuthorizerResult>;

const cacheSize = 10_000;

/** Authorizes a token for a method: returns the context, or throws a `GatewayRejection`. */
export type Authorize = (
  token: string | undefined,
  methodArn: string,
) => Promise<Readonly<Record<string, string>>>;

/** Returns API Gateway's side of a TOKEN authorizer: the expression, the cache, the function, the policy. */
export function tokenAuthorizer({ id, properties }: Authorizer, invoker: Invoker): Authorize {
  const { AuthorizerResultTtlInSeconds: ttl, RestApiId: apiId } = properties;
  const expression = new RegExp(properties.IdentityValidationExpression);
  const results = new LRUCache<string, AuthorizerResult>({ max: cacheSize, ttl: ttl * 1000 });

  async function resultOf(token: string, methodArn: string): Promise<AuthorizerResult> {
    const sourceArn = arn('execute-api', `${apiId}/authorizers/${id}`);
    const event = { type: 'TOKEN', authorizationToken: token, methodArn };
    const outcome = await invoker.invoke(properties.AuthorizerUri, sourceArn, event);

    if ('error' in outcome) {
      const isUnauthorized = outcome.error.errorMessage === 'Unauthorized';
      throw new GatewayRejection(isUnauthorized ? 'UNAUTHORIZED' : 'AUTHORIZER_CONFIGURATION_ERROR');
    }
    const { success, output, issues } = v.safeParse(AuthorizerResult, outcome.payload);
    if (!success) {
      reportMalformedResult(invoker.sourceOf(properties.AuthorizerUri), issues);
      throw new GatewayRejection('AUTHORIZER_CONFIGURATION_ERROR');
    }
    results.set(token, output, { noUpdateTTL: true });
    return output;
  }

  return async (token, methodArn) => {
    if (token === undefined || !expression.test(token)) throw new GatewayRejection('UNAUTHORIZED');
    const result = results.get(token) ?? (await resultOf(token, methodArn));
    const { principalId, policyDocument, context } = result;
    if (!isAllowed(policyDocument.Statement, 'execute-api:Invoke', methodArn)) {
      throw new GatewayRejection('ACCESS_DENIED');
    }
    const values = Object.entries(context).map(([name, value]) => [name, String(value)]);
    return { ...Object.fromEntries(values), principalId };
  };
}
