import * as v from 'valibot';
import { type HttpRequest, type HttpResponse, maxBodyBytes } from '../http/http.ts';
import type { InvocationOutcome } from '../lambda/execution-environment.ts';
import type { Invoker } from '../lambda/invoker.ts';
import { arn } from '../template/account.ts';
import type { Deployment, Route } from '../template/deployment.ts';
import { type AccessLogValues, accessLogLine } from './access-log-line.ts';
import { GatewayRejection } from './gateway-rejection.ts';
import { responseHeaders } from './header-mapping.ts';
import { mediaTypeOf, proxyEvent } from './proxy-event.ts';
import { matchRoute } from './route-match.ts';
import { type Authorize, tokenAuthorizer } from './token-authorizer.ts';
import { tokenBucket } from './token-bucket.ts';

/** What a function of a Lambda proxy integration must return. */
const ProxyResult = v.object({
  statusCode: v.pipe(v.number(), v.integer(), v.minValue(200), v.maxValue(599)),
  headers: v.optional(v.record(v.string(), v.union([v.string(), v.number(), v.boolean()])), {}),
  multiValueHeaders: v.optional(v.record(v.string(), v.array(v.string())), {}),
  body: v.optional(v.string(), ''),
  isBase64Encoded: v.optional(v.boolean(), false),
});

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
    return responseOf(outcome);
  }

  #authorize({ authorizer }: Route, token: string | undefined, methodArn: string): ReturnType<Authorize> {
    const key = JSON.stringify(authorizer);
    const authorize = this.#authorizers.get(key) ?? tokenAuthorizer(authorizer, this.#invoker);
    this.#authorizers.set(key, authorize);
    return authorize(token, methodArn);
  }
}

function responseOf(outcome: InvocationOutcome): HttpResponse {
  if ('error' in outcome) {
    const isDenied = outcome.error.errorType === 'AccessDeniedException';
    throw new GatewayRejection(isDenied ? 'API_CONFIGURATION_ERROR' : 'DEFAULT_5XX');
  }
  const { success, output } = v.safeParse(ProxyResult, outcome.payload);
  if (!success) throw new GatewayRejection('DEFAULT_5XX');
  const { statusCode, headers, multiValueHeaders, body, isBase64Encoded } = output;
  return {
    status: statusCode,
    headers: responseHeaders(headers, multiValueHeaders),
    body: isBase64Encoded ? Buffer.from(body, 'base64') : body,
  };
}
