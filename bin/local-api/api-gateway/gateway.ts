import { isDeepStrictEqual } from 'node:util';
import { type HttpRequest, type HttpResponse, maxBodyBytes } from '../http/read-request.ts';
import type { Invoker } from '../lambda/invoker.ts';
import { arn } from '../template/account.ts';
import type { Authorizer, Deployment, FunctionSpec, Route } from '../template/deployment.ts';
import { GatewayRejection, ownResponse, type ResponseType } from './own-responses.ts';
import { mediaTypeOf, proxyEvent } from './proxy-event.ts';
import { proxyResponse } from './proxy-response.ts';
import { matchRoute } from './route-match.ts';
import { type Authorize, tokenAuthorizer } from './token-authorizer.ts';
import { tokenBucket } from './token-bucket.ts';

export type Gateway = ReturnType<typeof createGateway>;

/**
 * Returns a request with the method of its `X-HTTP-Method-Override` header, if it has one.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html
 */
function withMethodOverride(request: HttpRequest): HttpRequest {
  const [method = request.method] = request.headers['x-http-method-override'] ?? [];
  return { ...request, method };
}

/** Corrects the URLs of this API in headers: a function takes every request for one over https, as on AWS. */
function withOwnScheme({ domainName }: HttpRequest, response: HttpResponse): HttpResponse {
  const corrected = (value: string) => value.replaceAll(`https://${domainName}/`, `http://${domainName}/`);
  const headers = Object.entries(response.headers).map(([name, values]) => [
    name,
    [values].flat().map(corrected),
  ]);
  return { ...response, headers: Object.fromEntries(headers) };
}

/**
 * Returns whether two deployments are the same but for the code of functions, so that what a gateway has learned from
 * requests stays true. It caches what authorizers return.
 */
export const hasSameTemplate = (one: Deployment, other: Deployment): boolean =>
  isDeepStrictEqual(withoutCode(one), withoutCode(other));

function withoutCode({ functions, ...rest }: Deployment) {
  const authorizers = new Set(rest.routes.map(({ authorizer }) => authorizer?.properties.AuthorizerUri));
  const code = (spec: FunctionSpec) => (authorizers.has(spec.arn) ? spec.codeDirectory : undefined);
  return { ...rest, functions: functions.map((spec) => ({ ...spec, codeDirectory: code(spec) })) };
}

/** Returns what handles requests as API Gateway does, with the functions of an invoker. */
export function createGateway(deployment: Deployment, invoker: Invoker) {
  const { apiId, stageName, routes, gatewayResponses } = deployment;
  const authorizers = new Map<Authorizer, Authorize>();
  const buckets = new Map(routes.map((route) => [route, tokenBucket(route.throttling)]));

  /** The order is API Gateway's: route, throttling, authorizer, integration. */
  async function responseOf(received: HttpRequest): Promise<HttpResponse> {
    const request = withMethodOverride(received);
    if (request.body.length > maxBodyBytes) throw new GatewayRejection('REQUEST_TOO_LARGE');
    const match = matchRoute(deployment, request);
    if (!match) throw new GatewayRejection('MISSING_AUTHENTICATION_TOKEN');
    const { route, path } = match;

    if (!buckets.get(route)?.(performance.now())) throw new GatewayRejection('THROTTLED');
    const methodArn = arn('execute-api', `${apiId}/${stageName}/${request.method}${path}`);
    const context = await authorizerOf(route)?.(request.headers['authorization']?.[0], methodArn);

    const { integration } = route;
    if (integration.response) {
      if (integration.contentTypes.includes(mediaTypeOf(request))) return integration.response;
      // The body that is passed through is not what a mock integration expects.
      throw new GatewayRejection(integration.passesOthersThrough ? 'DEFAULT_5XX' : 'UNSUPPORTED_MEDIA_TYPE');
    }
    const event = proxyEvent(request, { ...match, deployment, context });
    const outcome = await invoker.respond(integration.functionArn, methodArn, event);
    return withOwnScheme(received, proxyResponse(outcome, invoker.sourceOf(integration.functionArn)));
  }

  function authorizerOf({ authorizer }: Route): Authorize | undefined {
    if (!authorizer) return undefined;
    const authorize = authorizers.get(authorizer) ?? tokenAuthorizer(authorizer, invoker);
    authorizers.set(authorizer, authorize);
    return authorize;
  }

  const gatewayResponse = (type: ResponseType): HttpResponse => ownResponse(type, gatewayResponses);

  return {
    gatewayResponse,
    async respond(request: HttpRequest): Promise<HttpResponse> {
      try {
        return await responseOf(request);
      } catch (error) {
        if (error instanceof GatewayRejection) return gatewayResponse(error.responseType);
        throw error;
      }
    },
  };
}
