import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import type { Invoker } from '../lambda/invoker.ts';
import { arn } from '../template/account.ts';
import type { Authorizer } from '../template/deployment.ts';
import { isAllowed, PolicyDocument } from '../template/policy.ts';

/** Thrown where API Gateway itself responds, with the gateway response of a type, such as `THROTTLED`. */
export class GatewayRejection extends Error {
  readonly responseType: string;

  /** The reason is for the access log. */
  constructor(responseType: string, reason = '-') {
    super(reason);
    this.responseType = responseType;
  }
}

/** https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-lambda-authorizer-output.html */
const AuthorizerResult = v.object({
  principalId: v.string(),
  policyDocument: PolicyDocument,
  context: v.optional(v.record(v.string(), v.union([v.string(), v.number(), v.boolean()])), {}),
});
type AuthorizerResult = v.InferOutput<typeof AuthorizerResult>;

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
    const ttl = authorizer.properties.AuthorizerResultTtlInSeconds * 1000;
    this.#results = new LRUCache({ max: cacheSize, ttl });
  }

  /**
   * Returns the context of a request to a method, by the token in its Authorization header.
   *
   * @throws {GatewayRejection} if the authorizer does not allow the request
   */
  async authorize(token: string | undefined, methodArn: string): Promise<Readonly<Record<string, string>>> {
    if (
      token === undefined ||
      !new RegExp(this.#authorizer.properties.IdentityValidationExpression).test(token)
    ) {
      throw new GatewayRejection('UNAUTHORIZED', 'the token does not match the validation expression');
    }
    const { principalId, policyDocument, context } =
      this.#results.get(token) ?? (await this.#invoke(token, methodArn));
    if (!isAllowed(policyDocument.Statement, 'execute-api:Invoke', methodArn)) {
      throw new GatewayRejection('ACCESS_DENIED', 'the policy denies the request');
    }
    const values = Object.entries(context).map(([name, value]) => [name, String(value)]);
    return { ...Object.fromEntries(values), principalId };
  }

  async #invoke(token: string, methodArn: string): Promise<AuthorizerResult> {
    const { id, properties } = this.#authorizer;
    const sourceArn = arn('execute-api', `${this.#apiId}/authorizers/${id}`);
    const event = { type: 'TOKEN', authorizationToken: token, methodArn };
    const outcome = await this.#invoker.invoke(properties.AuthorizerUri, sourceArn, event);

    if ('error' in outcome) {
      const { errorType, errorMessage } = outcome.error;
      throw new GatewayRejection(responseTypeFor(errorType, errorMessage), errorMessage);
    }
    const { success, output } = v.safeParse(AuthorizerResult, outcome.payload);
    if (!success) {
      throw new GatewayRejection('AUTHORIZER_CONFIGURATION_ERROR', 'the authorizer returned no valid result');
    }
    // A TTL of 0 disables caching in API Gateway, but means forever to lru-cache.
    if (properties.AuthorizerResultTtlInSeconds > 0) this.#results.set(token, output, { noUpdateTTL: true });
    return output;
  }
}

/**
 * API Gateway responds with AUTHORIZER_CONFIGURATION_ERROR to every error of an authorizer except `Unauthorized`.
 * Locally, a missing permission can be told from an outage.
 */
function responseTypeFor(errorType: string, errorMessage: string): string {
  if (errorMessage === 'Unauthorized') return 'UNAUTHORIZED';
  return errorType === 'AccessDeniedException' ? 'API_CONFIGURATION_ERROR' : 'AUTHORIZER_CONFIGURATION_ERROR';
}
