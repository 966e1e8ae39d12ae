import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEvent, APIGatewayProxyResult, Context } from 'aws-lambda';
import { proxyEvent } from '../../infra/local/proxy-event.ts';
import { parseJson } from '../../shared/json.ts';

type Handler = (event: APIGatewayProxyEvent, context: Context) => Promise<APIGatewayProxyResult>;

/** What of a request a test wants to choose. */
export interface TestRequest {
  readonly method?: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, readonly string[]>>;
  readonly body?: string;
  readonly petId?: string;
  readonly client?: string;
}

/** An answer of a handler, its body parsed with exact integers. */
export interface TestAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** Invokes a handler with the event that API Gateway would make of a request. */
export async function invoke(handler: Handler, request: TestRequest = {}): Promise<TestAnswer> {
  const { method = 'GET', query = '', headers = {}, body = '', petId, client = 'acme' } = request;
  const path = petId === undefined ? '/pets' : `/pets/${petId}`;
  const event = proxyEvent(
    { method, path, query, headers, body, sourceIp: '127.0.0.1' },
    {
      requestId: randomUUID(),
      apiId: 'api',
      stageName: 'v1',
      resourcePath: petId === undefined ? '/pets' : '/pets/{petId}',
      path,
      pathParameters: petId === undefined ? {} : { petId },
      authorizer: { client, keyId: '0123456789ab' },
      host: 'pets.example',
    },
  );
  const answer = await handler(event, { getRemainingTimeInMillis: () => 5000 } as Context);
  return { status: answer.statusCode, headers: answer.headers ?? {}, body: parseJson(answer.body) };
}
