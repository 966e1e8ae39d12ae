import * as v from 'valibot';
import type { AccessLogValues } from './access-log.ts';
import { arn } from './account.ts';
import type { Deployment } from './deployment.ts';
import type { HttpAnswer, HttpRequest } from './http.ts';
import type { Invoker } from './invoker.ts';
import { proxyEvent } from './proxy-event.ts';
import { matchRoute } from './route-match.ts';
import { TokenAuthorizer } from './token-authorizer.ts';
import { TokenBucket } from './token-bucket.ts';

/** What a function of a Lambda proxy integration must return. */
const ProxyResult = v.object({
  statusCode: v.pipe(v.number(), v.integer(), v.minValue(200), v.maxValue(599)),
  headers: v.optional(v.record(v.string(), v.union([v.string(), v.number(), v.boolean()])), {}),
  multiValueHeaders: v.optional(v.record(v.string(), v.array(v.string())), {}),
  body: v.optional(v.string(), ''),
});

/** An answer of the gateway, with what its access log has of the request. */
export interface GatewayAnswer extends HttpAnswer {
  readonly logged: AccessLogValues;
}

/** API Gateway's way of a request: throttling, route, authorizer, integration, and a gateway response for what fails. */
export class Gateway {
  readonly #deployment: Deployment;
  readonly #invoker: Invoker;
  readonly #authorizers: ReadonlyMap<string, TokenAuthorizer>;
  readonly #bucket: TokenBucket;

  constructor(deployment: Deployment, invoker: Invoker) {
    const { apiId, routes, throttling } = deployment;
    this.#deployment = deployment;
    this.#invoker = invoker;
    this.#authorizers = new Map(
      routes.map(({ authorizer }) => [authorizer.id, new TokenAuthorizer(authorizer, apiId, invoker)]),
    );
    this.#bucket = new TokenBucket(throttling.rate, throttling.burst, performance.now());
  }

  /** Answers a request to the local API, whose address is `host`. */
  async answer(request: HttpRequest, requestId: string, host: string): Promise<GatewayAnswer> {
    const { apiId, stageName } = this.#deployment;
    const match = matchRoute(this.#deployment, request);
    if (!match) return this.gatewayResponse('MISSING_AUTHENTICATION_TOKEN');
    if (!this.#bucket.take(performance.now())) return this.gatewayResponse('THROTTLED');

    const { route, path, pathParameters } = match;
    const { resourcePath } = route;
    const methodArn = arn('execute-api', `${apiId}/${stageName}/${request.method}${path}`);
    const token = request.headers['authorization']?.[0];
    const verdict = await this.#authorizers.get(route.authorizer.id)?.judge(token, methodArn);
    if (!verdict || 'refusal' in verdict) {
      const { refusal = 'AUTHORIZER_FAILURE', reason = 'there is no such authorizer' } = verdict ?? {};
      return this.gatewayResponse(refusal, { resourcePath, 'authorizer.error': reason });
    }
    const logged = { resourcePath, ...prefixed('authorizer.', verdict.context) };

    const event = proxyEvent(request, {
      requestId,
      apiId,
      stageName,
      resourcePath,
      path,
      pathParameters,
      authorizer: verdict.context,
      host,
    });
    const outcome = await this.#invoker.invoke(route.functionArn, methodArn, event);
    if ('error' in outcome) return this.gatewayResponse(responseTypeFor(outcome.error.errorType), logged);

    const { success, output } = v.safeParse(ProxyResult, outcome.payload);
    if (!success) return this.gatewayResponse('DEFAULT_5XX', logged);
    const headers = Object.entries(output.headers).map(([name, value]) => [name, String(value)]);
    return {
      status: output.statusCode,
      headers: { ...Object.fromEntries(headers), ...output.multiValueHeaders },
      body: output.body,
      logged,
    };
  }

  /** A response of API Gateway itself, as the template declares it. */
  gatewayResponse(type: string, logged: AccessLogValues = {}): GatewayAnswer {
    const response = this.#deployment.gatewayResponses.get(type);
    if (!response) throw new Error(`The template declares no gateway response for ${type}.`);
    const { status, headers, body } = response;
    return {
      status,
      headers: { 'Content-Type': 'application/json', ...headers },
      body,
      logged,
    };
  }
}

function responseTypeFor(errorType: string): string {
  if (errorType === 'AccessDeniedException') return 'API_CONFIGURATION_ERROR';
  return errorType === 'AbortError' ? 'INTEGRATION_TIMEOUT' : 'DEFAULT_5XX';
}

const prefixed = (prefix: string, values: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}${name}`, value]));
