import * as v from 'valibot';
import { timeLimits } from '../../../shared/lambda/time-limits.ts';
import type { HttpRequest, HttpResponse } from '../http/http.ts';
import type { InvocationOutcome } from '../lambda/execution-environment.ts';
import type { Invoker } from '../lambda/invoker.ts';
import { arn } from '../template/account.ts';
import type { Deployment, Route } from '../template/deployment.ts';
import { type AccessLogValues, accessLogLine } from './access-log-line.ts';
import { GatewayRejection } from './gateway-rejection.ts';
import { proxyEvent, type ReceivedRequest } from './proxy-event.ts';
import { clientHeaders } from './response-headers.ts';
import { matchRoute } from './route-match.ts';
import { TokenAuthorizer } from './token-authorizer.ts';
import { TokenBucket } from './token-bucket.ts';

/** What a function of a Lambda proxy integration must return. */
const ProxyResult = v.object({
  statusCode: v.pipe(v.number(), v.integer(), v.minValue(200), v.maxValue(599)),
  headers: v.optional(v.record(v.string(), v.union([v.string(), v.number(), v.boolean()])), {}),
  multiValueHeaders: v.optional(v.record(v.string(), v.array(v.string())), {}),
  body: v.optional(v.string(), ''),
  isBase64Encoded: v.optional(v.boolean(), false),
});

/** A response of the gateway, with the values that its access log has of the request. */
export interface LoggedResponse extends HttpResponse {
  readonly logged: AccessLogValues;
}

/**
 * The longest ARN of a method with an authorizer, in bytes.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html
 */
const maxMethodArnBytes = 1600;

/** Handles a request as API Gateway does: route, throttling, authorizer, integration, or a gateway response. */
export class Gateway {
  readonly #deployment: Deployment;
  readonly #invoker: Invoker;
  readonly #authorizers: ReadonlyMap<string, TokenAuthorizer>;
  /** Writes the line of a request in the access log. */
  readonly accessLogLine: (values: AccessLogValues) => string;
  /** By HTTP method and resource path. */
  readonly #buckets = new Map<string, TokenBucket>();

  /** The authorizers of `previous`, which this gateway replaces, keep their caches unless their settings change. */
  constructor(deployment: Deployment, invoker: Invoker, previous?: Gateway) {
    this.#deployment = deployment;
    this.accessLogLine = accessLogLine(deployment.accessLogFormat);
    this.#invoker = invoker;
    const authorizers = previous ? previous.#authorizers : new Map<string, TokenAuthorizer>();
    this.#authorizers = new Map(
      deployment.routes.map(({ authorizer }) => {
        const last = authorizers.get(authorizer.id);
        const isSame = last?.isFor(authorizer);
        return [
          authorizer.id,
          last && isSame ? last : new TokenAuthorizer(authorizer, deployment.apiId, invoker),
        ];
      }),
    );
  }

  async respond(request: HttpRequest, received: ReceivedRequest): Promise<LoggedResponse> {
    const logged: Record<string, string> = {};
    try {
      return { ...(await this.#respond(request, received, logged)), logged };
    } catch (error) {
      if (!(error instanceof GatewayRejection)) throw error;
      return this.gatewayResponse(error.responseType, { 'authorizer.error': error.message, ...logged });
    }
  }

  /** Returns a response of API Gateway itself, as the template declares it. */
  gatewayResponse(type: string, logged: AccessLogValues = {}): LoggedResponse {
    const response = this.#deployment.gatewayResponses.get(type);
    if (!response) throw new Error(`The template declares no gateway response for ${type}.`);
    return { ...response, logged: { ...logged, 'error.responseType': type } };
  }

  async #respond(
    request: HttpRequest,
    received: ReceivedRequest,
    logged: Record<string, string>,
  ): Promise<HttpResponse> {
    const { apiId, stageName } = this.#deployment;
    const match = matchRoute(this.#deployment, request);
    if (!match) throw new GatewayRejection('MISSING_AUTHENTICATION_TOKEN');
    const { route, path } = match;
    logged['resourcePath'] = route.resourcePath;

    const methodArn = arn('execute-api', `${apiId}/${stageName}/${request.method}${path}`);
    if (Buffer.byteLength(methodArn) > maxMethodArnBytes) {
      return { ...this.gatewayResponse('DEFAULT_4XX'), status: 414 };
    }
    if (!this.#bucketOf(route, request.method).take(performance.now())) {
      throw new GatewayRejection('THROTTLED');
    }
    const authorizer = this.#authorizers.get(route.authorizer.id);
    if (!authorizer) throw new GatewayRejection('AUTHORIZER_FAILURE', 'there is no such authorizer');
    const context = await authorizer.authorize(request.headers['authorization']?.[0], methodArn);
    for (const [name, value] of Object.entries(context)) logged[`authorizer.${name}`] = value;

    const { integration } = route;
    if ('response' in integration) {
      const contentType = request.headers['content-type']?.[0] ?? 'application/json';
      const [mediaType = ''] = contentType.toLowerCase().split(';');
      if (!integration.contentTypes.includes(mediaType.trim())) {
        throw new GatewayRejection('UNSUPPORTED_MEDIA_TYPE');
      }
      return integration.response;
    }
    const event = proxyEvent(request, { ...received, ...match, deployment: this.#deployment, context });
    const invokedAt = performance.now();
    const outcome = await withinTimeLimit(this.#invoker.invoke(integration.functionArn, methodArn, event));
    logged['integrationLatency'] = `${Math.round(performance.now() - invokedAt)}`;
    // Lambda's status, whatever the function returned.
    logged['integrationStatus'] = '200';
    return responseOf(outcome);
  }

  #bucketOf({ resourcePath, throttling: { rate, burst } }: Route, method: string): TokenBucket {
    const key = `${method} ${resourcePath}`;
    const bucket = this.#buckets.get(key) ?? new TokenBucket(rate, burst, performance.now());
    this.#buckets.set(key, bucket);
    return bucket;
  }
}

async function withinTimeLimit(invocation: Promise<InvocationOutcome>): Promise<InvocationOutcome> {
  const { promise: timeout, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new GatewayRejection('INTEGRATION_TIMEOUT')), timeLimits.integration);
  return Promise.race([invocation, timeout]).finally(() => clearTimeout(timer));
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
    headers: clientHeaders(headers, multiValueHeaders),
    body: isBase64Encoded ? Buffer.from(body, 'base64') : body,
  };
}
