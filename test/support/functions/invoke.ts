import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { proxyEvent } from '../../../infra/local/api-gateway/proxy-event.ts';
import { parseJson } from '../../../shared/contract/json.ts';

type Handler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** What of a request a test wants to choose. */
export interface TestRequest {
  readonly method?: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, readonly string[]>>;
  readonly body?: string;
  readonly petId?: string;
  readonly client?: string;
  readonly keyId?: string;
  readonly isBase64Encoded?: boolean;
  /** The time that Lambda leaves the function, in milliseconds. */
  readonly remainingTime?: number;
}

/** A response of a handler, its body parsed with exact integers. */
export interface TestResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** The event that API Gateway would make of a request. */
export function eventOf(request: TestRequest = {}): APIGatewayProxyEvent {
  const { method = 'GET', query = '', headers = {}, body = '', petId } = request;
  const { client = 'acme', keyId = '0123456789ab', isBase64Encoded = false } = request;
  const path = petId === undefined ? '/pets' : `/pets/${petId}`;
  return proxyEvent(
    { method, path, query, headers, body, isBase64Encoded, sourceIp: '127.0.0.1' },
    {
      requestId: randomUUID(),
      apiId: 'api',
      stageName: 'v1',
      resourcePath: petId === undefined ? '/pets' : '/pets/{petId}',
      path,
      pathParameters: petId === undefined ? {} : { petId },
      authorizer: { client, keyId },
      host: 'pets.example',
    },
  );
}

/** Invokes a handler with a request. */
export async function invoke(handler: Handler, request: TestRequest = {}): Promise<TestResponse> {
  const { remainingTime = 5000 } = request;
  const context = { getRemainingTimeInMillis: () => remainingTime } as Context;
  const response = await handler(eventOf(request), context);
  return { status: response.statusCode, headers: response.headers ?? {}, body: parseJson(response.body) };
}
