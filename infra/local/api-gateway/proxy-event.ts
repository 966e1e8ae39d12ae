import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { HttpRequest } from '../http/http.ts';
import { account } from '../template/account.ts';

/** What API Gateway knows of a request besides what the client sent. */
export interface RequestContext {
  readonly requestId: string;
  readonly apiId: string;
  readonly stageName: string;
  readonly resourcePath: string;
  /** Below the stage. */
  readonly path: string;
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly authorizer: Readonly<Record<string, unknown>>;
  /** The host and port of the local API. */
  readonly host: string;
}

/**
 * The event that API Gateway hands to a function of a Lambda proxy integration.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html
 */
export function proxyEvent(request: HttpRequest, context: RequestContext): APIGatewayProxyEvent {
  const { requestId, apiId, stageName, resourcePath, path, pathParameters, authorizer, host } = context;
  const multiValueHeaders = { ...copyOf(request.headers), 'x-forwarded-proto': ['http'] };
  const multiValueQuery = valuesByName(new URLSearchParams(request.query));
  const now = new Date();

  return {
    resource: resourcePath,
    path,
    httpMethod: request.method,
    headers: lastOf(multiValueHeaders),
    multiValueHeaders,
    queryStringParameters: multiValueQuery && lastOf(multiValueQuery),
    multiValueQueryStringParameters: multiValueQuery,
    pathParameters: Object.keys(pathParameters).length > 0 ? pathParameters : null,
    stageVariables: null,
    body: request.body === '' ? null : request.body,
    isBase64Encoded: request.isBase64Encoded,
    requestContext: {
      accountId: account.id,
      apiId,
      authorizer,
      domainName: host,
      httpMethod: request.method,
      identity: identityOf(request),
      path: `/${stageName}${path}`,
      protocol: 'HTTP/1.1',
      requestId,
      requestTime: now.toISOString(),
      requestTimeEpoch: now.getTime(),
      resourceId: resourcePath,
      resourcePath,
      stage: stageName,
    },
  };
}

type Values = Record<string, string[]>;

const copyOf = (headers: HttpRequest['headers']): Values =>
  Object.fromEntries(Object.entries(headers).map(([name, values]) => [name, [...values]]));

const lastOf = (values: Values): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, list]) => [name, list.at(-1) ?? '']));

function valuesByName(query: URLSearchParams): Values | null {
  const pairsByName = Map.groupBy(query, ([name]) => name);
  const values = [...pairsByName].map(([name, pairs]) => [name, pairs.map(([, value]) => value)]);
  return values.length > 0 ? Object.fromEntries(values) : null;
}

function identityOf({ sourceIp, headers }: HttpRequest): APIGatewayProxyEvent['requestContext']['identity'] {
  return {
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
    sourceIp,
    user: null,
    userAgent: headers['user-agent']?.[0] ?? null,
    userArn: null,
  };
}
