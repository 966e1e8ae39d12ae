import { type HttpRequest, type HttpResponse, maxBodyBytes } from '../http/http.ts';
import type { Invoker } from '../lambda/invoker.ts';
import { arn } from '../template/account.ts';
import type { Deployment, Route } from '../template/deployment.ts';
import { type AccessLogValues, accessLogLine } from './access-log-line.ts';
import { GatewayRejection } from './gateway-rejection.ts';
import { mediaTypeOf, proxyEvent } from './proxy-event.ts';
import { proxyResponse } from './proxy-response.ts';
import { matchRoute } from './route-match.ts';
import { type Authorize, tokenAuthorizer } from './token-authorizer.ts';
import { tokenBucket } from './token-bucket.ts';

/** A response, and the request's values for the access log. */
export interface LoggedResponse extends HttpResponse {
  readonly logged: AccessLogValues;
}

/**
 * The longest ARN of a method with an authorizer.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html
 */
const maxMethodArnBytes = 1600;

/** Handles requests as API Gateway does: route, throttling, authorizer, integration or gateway response. */
export class Gateway {
  readonly #deployment: Deployment;
  readonly #invoker: Invoker;
  readonly accessLogLine: (values: AccessLogValues) => string;
  /** By their settings. */
  readonly #authorizers: Map<string, Authorize>;
  readonly #buckets: ReadonlyMap<Route, ReturnType<typeof tokenBucket>>;

  /** Authorizers of the `previous` gateway keep their caches unless their settings change. */
  constructor(deployment: Deployment, invoker: Invoker, previous?: Gateway) {
    this.#deployment = deployment;
    this.#invoker = invoker;
    this.#authorizers = previous ? previous.#authorizers : new Map();
    this.#buckets = new Map(deployment.routes.map((route) => [route, tokenBucket(route.throttling)]));
    this.accessLogLine = accessLogLine(deployment.accessLogFormat);
  }

  async respond(request: HttpRequest): Promise<LoggedResponse> {
    const logged: Record<string, string> = {};
    try {
      return { ...(await this.#respond(request, logged)), logged };
    } catch (error) {
      if (!(error instanceof GatewayRejection)) throw error;
      return this.gatewayResponse(error.responseType, { 'authorizer.error': error.message, ...logged });
    }
  }

  /** Returns one of API Gateway's own responses, as the template declares it. */
  gatewayResponse(type: string, logged: AccessLogValues = {}): LoggedResponse {
    const response = this.#deployment.gatewayResponses.get(type);
    if (!response) throw new Error(`The template declares no gateway response for ${type}.`);
    return { ...response, logged: { ...logged, 'error.responseType': type } };
  }

  async #respond(request: HttpRequest, logged: Record<string, string>): Promise<HttpResponse> {
    if (request.body.length > maxBodyBytes) throw new GatewayRejection('REQUEST_TOO_LARGE');
    const { apiId, stageName } = this.#deployment;
    const match = matchRoute(this.#deployment, request);
    if (!match) throw new GatewayRejection('MISSING_AUTHENTICATION_TOKEN');
    const { route, path } = match;
    logged['resourcePath'] = route.resourcePath;

    const methodArn = arn('execute-api', `${apiId}/${stageName}/${request.method}${path}`);
    if (Buffer.byteLength(methodArn) > maxMethodArnBytes) {
      return { ...this.gatewayResponse('DEFAULT_4XX'), status: 414 };
    }
    if (!this.#buckets.get(route)?.(performance.now())) throw new GatewayRejection('THROTTLED');
    const context = await this.#authorize(route, request.headers['authorization']?.[0], methodArn);
    for (const [name, value] of Object.entries(context)) logged[`authorizer.${name}`] = value;

    const { integration } = route;
    if (integration.response) {
      if (integration.contentTypes.includes(mediaTypeOf(request))) return integration.response;
      throw new GatewayRejection('UNSUPPORTED_MEDIA_TYPE');
    }
    const event = proxyEvent(request, { ...match, deployment: this.#deployment, context });
    const invokedAt = performance.now();
    const outcome = await this.#invoker.invoke(integration.functionArn, methodArn, event);
    logged['integrationLatency'] = `${Math.round(performance.now() - invokedAt)}`;
    // Lambda's status, whatever the function returned.
    logged['integrationStatus'] = '200';
    return proxyResponse(outcome, integration.functionArn);
  }

  #authorize({ authorizer }: Route, token: string | undefined, methodArn: string): ReturnType<Authorize> {
    const key = JSON.stringify(authorizer);
    const authorize = this.#authorizers.get(key) ?? tokenAuthorizer(authorizer, this.#invoker);
    this.#authorizers.set(key, authorize);
    return authorize(token, methodArn);
  }
}
