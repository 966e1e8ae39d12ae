import { randomBytes } from 'node:crypto';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { HttpRequest } from '../http/http.ts';
import { account } from '../template/account.ts';
import type { Deployment, Route } from '../template/deployment.ts';
import { requestTime } from './request-time.ts';
import type { RouteMatch } from './route-match.ts';

/** How a request reached the local API. */
export interface ReceivedRequest {
  readonly requestId: string;
  readonly receivedAt: Date;
  /** With the port. */
  readonly domainName: string;
  readonly port: number;
}

interface EventContext extends ReceivedRequest, Pick<RouteMatch, 'pathParameters'> {
  readonly route: Pick<Route, 'resourcePath'>;
  readonly deployment: Pick<Deployment, 'apiId' | 'stageName' | 'binaryMediaTypes'>;
  /** That of the authorizer. */
  readonly context: Readonly<Record<string, unknown>>;
}

type Values = Record<string, string[]>;

/**
 * Returns the event that API Gateway passes to a function of a Lambda proxy integration.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html
 */
export function proxyEvent(request: HttpRequest, context: EventContext): APIGatewayProxyEvent {
  const { requestId, receivedAt, domainName, deployment, route, pathParameters } = context;
  const { apiId, stageName, binaryMediaTypes } = deployment;
  const multiValueHeaders = headersOf(request, context);
  const multiValueQuery = valuesByName(new URLSearchParams(request.query));
  const path = request.path.slice(`/${stageName}`.length);
  const isBase64Encoded = request.body.length > 0 && isBinary(request, binaryMediaTypes);

  return {
    resource: route.resourcePath,
    path,
    httpMethod: request.method,
    headers: lastOf(multiValueHeaders),
    multiValueHeaders,
    queryStringParameters: multiValueQuery && lastOf(multiValueQuery),
    multiValueQueryStringParameters: multiValueQuery,
    pathParameters: Object.keys(pathParameters).length > 0 ? pathParameters : null,
    stageVariables: null,
    body: request.body.length === 0 ? null : request.body.toString(isBase64Encoded ? 'base64' : 'utf8'),
    isBase64Encoded,
    requestContext: {
      accountId: account.id,
      apiId,
      authorizer: context.context,
      domainName,
      extendedRequestId: requestId,
      httpMethod: request.method,
      identity: identityOf(request),
      path: `/${stageName}${path}`,
      protocol: 'HTTP/1.1',
      requestId,
      requestTime: requestTime(receivedAt),
      requestTimeEpoch: receivedAt.getTime(),
      resourceId: route.resourcePath,
      resourcePath: route.resourcePath,
      stage: stageName,
    },
  };
}

/**
 * Headers that API Gateway does not pass to a function.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-known-issues.html
 */
const dropped = [
  'connection',
  'content-md5',
  'expect',
  'max-forwards',
  'proxy-authenticate',
  'server',
  'te',
  'trailer',
  'upgrade',
  'www-authenticate',
];

/** Returns the headers under the names that the client sent, and those that API Gateway adds. */
function headersOf({ rawHeaders, sourceIp }: HttpRequest, { receivedAt, port }: EventContext): Values {
  const byName = Map.groupBy(rawHeaders, ([name]) => name.toLowerCase());
  const forwardedFor = byName.get('x-forwarded-for')?.map(([, value]) => value) ?? [];
  const own = {
    'X-Amzn-Trace-Id': `Root=1-${Math.floor(receivedAt.getTime() / 1000).toString(16)}-${randomBytes(12).toString('hex')}`,
    'X-Forwarded-For': [...forwardedFor, sourceIp].join(', '),
    'X-Forwarded-Port': `${port}`,
    'X-Forwarded-Proto': 'http',
  };
  const replaced = [...dropped, ...Object.keys(own).map((name) => name.toLowerCase())];
  const sent = [...byName].flatMap(([key, pairs]): [string, string[]][] =>
    replaced.includes(key) ? [] : [[pairs[0]?.[0] ?? key, pairs.map(([, value]) => value)]],
  );
  return {
    ...Object.fromEntries(sent),
    ...Object.fromEntries(Object.entries(own).map(([k, x]) => [k, [x]])),
  };
}

/**
 * Whether a body arrives in Base64. Otherwise API Gateway reads it as UTF-8, and replaces invalid bytes.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-payload-encodings-workflow.html
 */
function isBinary({ headers }: HttpRequest, binaryMediaTypes: readonly string[]): boolean {
  const [mediaType = ''] = (headers['content-type']?.[0] ?? 'application/json').split(';');
  return binaryMediaTypes.some((type) => type === '*/*' || type === mediaType.trim().toLowerCase());
}

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
