import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import type { Invoker } from '../lambda/invoker.ts';
import { arn } from '../template/account.ts';
import type { Authorizer } from '../template/deployment.ts';
import { isAllowed, PolicyDocument } from '../template/policy.ts';

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-lambda-authorizer-output.html */
const AuthorizerResult = v.object({
  principalId: v.string(),
  policyDocument: PolicyDocument,
  context: v.optional(v.record(v.string(), v.union([v.string(), v.number(), v.boolean()])), {}),
});
type AuthorizerResult = v.InferOutput<typeof AuthorizerResult>;

/** Whether a request may go on: with the authorizer's context, or else with the gateway response that refuses it. */
export type Decision =
  | { readonly context: Readonly<Record<string, string>> }
  | { readonly gatewayResponseType: string; readonly reason: string };

/** How many tokens the cache holds. */
const cacheSize = 10_000;

/** API Gateway's side of a TOKEN authorizer: the expression, the cache, the function, the policy. */
export class TokenAuthorizer {
  readonly #authorizer: Authorizer;
  readonly #apiId: string;
  readonly #invoker: Invoker;
  readonly #results: LRUCache<string, AuthorizerResult>;

  constructor(authorizer: Authorizer, apiId: string, invoker: Invoker) {
    this.#authorizer = authorizer;
    this.#apiId = apiId;
    this.#invoker = invoker;
    this.#results = new LRUCache({ max: cacheSize, ttl: authorizer.ttlSeconds * 1000 });
  }

  /** Authorizes a request to a method by its token, the value of its Authorization header. */
  async authorize(token: string | undefined, methodArn: string): Promise<Decision> {
    if (token === undefined || !this.#authorizer.expression.test(token)) {
      return { gatewayResponseType: 'UNAUTHORIZED', reason: 'no token of the expected form' };
    }
    const result = this.#results.get(token) ?? (await this.#ask(token, methodArn));
    if ('gatewayResponseType' in result) return result;

    const { principalId, policyDocument, context } = result;
    if (!isAllowed(policyDocument.Statement, 'execute-api:Invoke', methodArn)) {
      return { gatewayResponseType: 'ACCESS_DENIED', reason: 'the policy denies it' };
    }
    const values = Object.entries(context).map(([name, value]) => [name, String(value)]);
    return { context: { ...Object.fromEntries(values), principalId } };
  }

  async #ask(
    token: string,
    methodArn: string,
  ): Promise<AuthorizerResult | Extract<Decision, { gatewayResponseType: string }>> {
    const { id, functionArn, ttlSeconds } = this.#authorizer;
    const sourceArn = arn('execute-api', `${this.#apiId}/authorizers/${id}`);
    const event = { type: 'TOKEN', authorizationToken: token, methodArn };
    const outcome = await this.#invoker.invoke(functionArn, sourceArn, event);

    if ('error' in outcome) {
      const { errorType, errorMessage } = outcome.error;
      return { gatewayResponseType: gatewayResponseTypeOf(errorType, errorMessage), reason: errorMessage };
    }
    const { success, output } = v.safeParse(AuthorizerResult, outcome.payload);
    if (!success) {
      return {
        gatewayResponseType: 'AUTHORIZER_CONFIGURATION_ERROR',
        reason: 'the authorizer returned no valid result',
      };
    }
    // With a time to live of 0 API Gateway caches nothing; the cache would keep it for ever.
    if (ttlSeconds > 0) this.#results.set(token, output, { noUpdateTTL: true });
    return output;
  }
}

/**
 * API Gateway gives AUTHORIZER_CONFIGURATION_ERROR for whatever an authorizer throws but `Unauthorized`. On one machine
 * a forgotten permission stands out from an outage.
 */
function gatewayResponseTypeOf(errorType: string, errorMessage: string): string {
  if (errorMessage === 'Unauthorized') return 'UNAUTHORIZED';
  return errorType === 'AccessDeniedException' ? 'API_CONFIGURATION_ERROR' : 'AUTHORIZER_CONFIGURATION_ERROR';
}
