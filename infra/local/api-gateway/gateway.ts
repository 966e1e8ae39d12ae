import { type HttpRequest, type HttpResponse, maxBodyBytes } from '../http/http.ts';
import type { Invoker } from '../lambda/invoker.ts';
import { arn } from '../template/account.ts';
import type { Authorizer, Deployment, Route } from '../template/deployment.ts';
import { GatewayRejection } from './gateway-rejection.ts';
import { mediaTypeOf, proxyEvent } from './proxy-event.ts';
import { proxyResponse } from './proxy-response.ts';
import { matchRoute } from './route-match.ts';
import { type Authorize, tokenAuthorizer } from './token-authorizer.ts';
import { tokenBucket } from './token-bucket.ts';

/** Handles requests as API Gateway does: route, throttling, authorizer, integration or gateway response. */
export class Gateway {
  readonly #deployment: Deployment;
  readonly #invoker: Invoker;
  readonly #authorizers = new Map<Authorizer, Authorize>();
  readonly #buckets: ReadonlyMap<Route, ReturnType<typeof tokenBucket>>;

  constructor(deployment: Deployment, invoker: Invoker) {
    this.#deployment = deployment;
    this.#invoker = invoker;
    this.#buckets = new Map(deployment.routes.map((route) => [route, tokenBucket(route.throttling)]));
  }

  async respond(request: HttpRequest): Promise<HttpResponse> {
    try {
      return await this.#respond(request);
    } catch (error) {
      if (!(error instanceof GatewayRejection)) throw error;
      return this.gatewayResponse(error.responseType);
    }
  }

  /** Returns one of API Gateway's own responses, as the template declares it. */
  gatewayResponse(type: string): HttpResponse {
    const response = this.#deployment.gatewayResponses.get(type);
    if (!response) throw new Error(`The template declares no gateway response for ${type}.`);
    return response;
  }

  async #respond(request: HttpRequest): Promise<HttpResponse> {
    if (request.body.length > maxBodyBytes) throw new GatewayRejection('REQUEST_TOO_LARGE');
    const { apiId, stageName } = this.#deployment;
    const match = matchRoute(this.#deployment, request);
    if (!match) throw new GatewayRejection('MISSING_AUTHENTICATION_TOKEN');
    const { route, path } = match;

    if (!this.#buckets.get(route)?.(performance.now())) throw new GatewayRejection('THROTTLED');
    const methodArn = arn('execute-api', `${apiId}/${stageName}/${request.method}${path}`);
    const authorize = this.#authorizerOf(route);
    const context = await authorize(request.headers['authorization']?.[0], methodArn);

    const { integration } = route;
    if (integration.response) {
      if (integration.contentTypes.includes(mediaTypeOf(request))) return integration.response;
      throw new GatewayRejection('UNSUPPORTED_MEDIA_TYPE');
    }
    const event = proxyEvent(request, { ...match, deployment: this.#deployment, context });
    const outcome = await this.#invoker.invoke(integration.functionArn, methodArn, event);
    return proxyResponse(outcome, integration.functionArn);
  }

  #authorizerOf({ authorizer }: Route): Authorize {
    const authorize = this.#authorizers.get(authorizer) ?? tokenAuthorizer(authorizer, this.#invoker);
    this.#authorizers.set(authorizer, authorize);
    return authorize;
  }
}
