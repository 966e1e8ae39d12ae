import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { HttpRequest } from '../http/read-request.ts';
import { account } from '../template/account.ts';
import type { Deployment, Route } from '../template/deployment.ts';
import { requestHeaders, type Values, valuesOf } from './header-mapping.ts';
import type { RouteMatch } from './route-match.ts';

interface EventContext extends Pick<RouteMatch, 'pathParameters'> {
  readonly route: Pick<Route, 'resourcePath' | 'operationName'>;
  readonly deployment: Pick<Deployment, 'apiId' | 'stageName'>;
  /** Undefined without an authorizer. */
  readonly context: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Returns the event that API Gateway passes to a function of a Lambda proxy integration.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html
 */
export function proxyEvent(request: HttpRequest, eventContext: EventContext): APIGatewayProxyEvent {
  const { id, receivedAt, domainName, method, sourceIp, body } = request;
  const { deployment, route, pathParameters, context } = eventContext;
  const { apiId, stageName } = deployment;
  const multiValueHeaders = requestHeaders(request);
  // API Gateway splits a query at semicolons as well.
  // https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html
  const query = new URLSearchParams(request.query.replaceAll(';', '&'));
  const multiValueQuery = query.size > 0 ? valuesOf(query) : null;
  const path = request.path.slice(`/${stageName}`.length);
  const hasBody = body.length > 0;

  return {
    resource: route.resourcePath,
    path,
    httpMethod: method,
    headers: lastOf(multiValueHeaders),
    multiValueHeaders,
    queryStringParameters: multiValueQuery && lastOf(multiValueQuery),
    multiValueQueryStringParameters: multiValueQuery,
    pathParameters: Object.keys(pathParameters).length > 0 ? pathParameters : null,
    stageVariables: null,
    // All media types are binary.
    body: hasBody ? body.toString('base64') : null,
    isBase64Encoded: hasBody,
    requestContext: {
      accountId: account.id,
      apiId,
      authorizer: context,
      domainName,
      domainPrefix: domainName.split('.', 1)[0] ?? '',
      extendedRequestId: id,
      httpMethod: method,
      ...(route.operationName !== undefined && { operationName: route.operationName }),
      identity: { ...noIdentity, sourceIp, userAgent: request.headers['user-agent']?.[0] ?? null },
      path: `/${stageName}${path}`,
      protocol: 'HTTP/1.1',
      requestId: id,
      requestTimeEpoch: receivedAt.getTime(),
      resourceId: route.resourcePath,
      resourcePath: route.resourcePath,
      stage: stageName,
    },
  };
}

/** Returns the media type of a request's body; without one, API Gateway assumes JSON. */
export function mediaTypeOf({ headers }: Pick<HttpRequest, 'headers'>): string {
  const [mediaType = ''] = (headers['content-type']?.[0] ?? 'application/json').split(';');
  return mediaType.trim().toLowerCase();
}

const lastOf = (values: Values): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, list]) => [name, list.at(-1) ?? '']));

const noIdentity = {
  accessKey: null,
  accountId: null,
  apiKey: null,
  apiKeyId: null,
  caller: null,
  clientCert: null,
  cognitoAuthenticationProvider: null,
  cognitoAuthenticationType: null,
  cognitoIdentityId: null,
  cognitoIdentityPoolId: null,
  principalOrgId: null,
  user: null,
  userArn: null,
};
