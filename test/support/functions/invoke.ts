import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { vi } from 'vitest';
import { proxyEvent } from '../../../bin/local-api/api-gateway/proxy-event.ts';
import { httpRequest } from '../../../bin/local-api/test/support/received-request.ts';
import { parseJson } from '../../../shared/contract/json.ts';
import { largeTimeLimits } from './large-time-limits.ts';

type Handler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** The parts of a request that a test can choose. */
export interface TestRequest {
  readonly method?: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, readonly string[]>>;
  readonly body?: string;
  readonly pathParameters?: Readonly<Record<string, string>>;
  readonly keyId?: string;
  readonly isBase64Encoded?: boolean;
  /** The remaining time of the invocation, in milliseconds. */
  readonly remainingTime?: number;
  /** When the request arrives: an operation can have a sunset. */
  readonly at?: string;
}

/** A response of a handler, its body parsed with exact integers. */
export type TestResponse = Awaited<ReturnType<typeof invoke>>;

/** Returns the event that API Gateway would send for a request; no handler reads its path. */
export function eventOf(request: TestRequest = {}): APIGatewayProxyEvent {
  const { method = 'GET', query = '', headers = {}, body = '' } = request;
  const { keyId = '0123456789ab', isBase64Encoded = false, pathParameters = {} } = request;
  const rawHeaders = Object.entries(headers).flatMap(([name, values]) =>
    values.map((value) => [name, value] as const),
  );
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  const event = proxyEvent(
    httpRequest({ domainName: 'pets.example', port: 443, method, query, headers, rawHeaders, body: bytes }),
    {
      deployment: { apiId: 'api', stageName: 'v1' },
      route: { resourcePath: '/path', operationName: undefined },
      pathParameters,
      context: { client: 'acme', keyId },
    },
  );
  // Handlers accept text as well as Base64.
  return isBase64Encoded ? event : { ...event, body: body || null, isBase64Encoded };
}

export async function invoke(handler: Handler, request: TestRequest = {}) {
  const { remainingTime = largeTimeLimits.function, at } = request;
  const context = { getRemainingTimeInMillis: () => remainingTime } as Context;
  if (at !== undefined) vi.useFakeTimers({ now: new Date(at), toFake: ['Date'] });
  const response = await handler(eventOf(request), context);
  if (at !== undefined) vi.useRealTimers();
  const body = response.body === '' ? undefined : parseJson(response.body);
  return { status: response.statusCode, headers: response.headers ?? {}, body };
}
