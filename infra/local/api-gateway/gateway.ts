import * as v from 'valibot';
import type { HttpRequest, HttpResponse } from '../http/http.ts';
import type { Invoker } from '../lambda/invoker.ts';
import { arn } from '../template/account.ts';
import type { Deployment, Route } from '../template/deployment.ts';
import type { AccessLogValues } from './access-log.ts';
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

/** A response of the gateway, with what its access log has of the request. */
export interface LoggedResponse extends HttpResponse {
  readonly logged: AccessLogValues;
}

/** API Gateway's way of a request: throttling, route, authorizer, integration, and a gateway response for what fails. */
export class Gateway {
  readonly #deployment: Deployment;
  readonly #invoker: Invoker;
  readonly #authorizers: ReadonlyMap<string, TokenAuthorizer>;
  /** Of each method. */
  readonly #buckets: ReadonlyMap<Route, TokenBucket>;

  constructor(deployment: Deployment, invoker: Invoker) {
    const { apiId, routes } = deployment;
    const now = performance.now();
    this.#deployment = deployment;
    this.#invoker = invoker;
    this.#authorizers = new Map(
      routes.map(({ authorizer }) => [authorizer.id, new TokenAuthorizer(authorizer, apiId, invoker)]),
    );
    this.#buckets = new Map(
      routes.map((route) => [route, new TokenBucket(route.throttling.rate, route.throttling.burst, now)]),
    );
  }

  /** Responds to a request to the local API, whose address is `host`. */
  async respond(request: HttpRequest, requestId: string, host: string): Promise<LoggedResponse> {
    const { apiId, stageName } = this.#deployment;
    const match = matchRoute(this.#deployment, request);
    if (!match) return this.gatewayResponse('MISSING_AUTHENTICATION_TOKEN');
    const { route, path, pathParameters } = match;
    const { resourcePath } = route;
    const bucket = this.#buckets.get(route);
    if (!bucket?.take(performance.now())) return this.gatewayResponse('THROTTLED', { resourcePath });

    const methodArn = arn('execute-api', `${apiId}/${stageName}/${request.method}${path}`);
    const token = request.headers['authorization']?.[0];
    const decision = await this.#authorizers.get(route.authorizer.id)?.authorize(token, methodArn);
    if (!decision || 'gatewayResponseType' in decision) {
      const { gatewayResponseType = 'AUTHORIZER_FAILURE', reason = 'there is no such authorizer' } =
        decision ?? {};
      return this.gatewayResponse(gatewayResponseType, { resourcePath, 'authorizer.error': reason });
    }

    const event = proxyEvent(request, {
      requestId,
      apiId,
      stageName,
      resourcePath,
      path,
      pathParameters,
      authorizer: decision.context,
      host,
    });
    const invokedAt = performance.now();
    const outcome = await this.#invoker.invoke(route.functionArn, methodArn, event);
    const logged = {
      resourcePath,
      ...prefixed('authorizer.', decision.context),
      integrationLatency: `${Math.round(performance.now() - invokedAt)}`,
      // Lambda's own, whatever came of the function.
      integrationStatus: '200',
    };
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
  gatewayResponse(type: string, logged: AccessLogValues = {}): LoggedResponse {
    const response = this.#deployment.gatewayResponses.get(type);
    if (!response) throw new Error(`The template declares no gateway response for ${type}.`);
    const { status, headers, body } = response;
    return {
      status,
      headers: { 'Content-Type': 'application/json', ...headers },
      body,
      logged: { ...logged, 'error.responseType': type },
    };
  }
}

function responseTypeFor(errorType: string): string {
  if (errorType === 'AccessDeniedException') return 'API_CONFIGURATION_ERROR';
  return errorType === 'AbortError' ? 'INTEGRATION_TIMEOUT' : 'DEFAULT_5XX';
}

const prefixed = (prefix: string, values: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`${prefix}${name}`, value]));
