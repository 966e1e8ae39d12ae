import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { close, listen } from '../../../infra/local/http/listen.ts';

/** A request that a stub was sent. */
export interface StubRequest {
  readonly url: string | undefined;
  readonly authorization: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly body: string;
  /** In milliseconds. */
  readonly at: number;
}

/** What a stub does of a request. */
export type StubResponse = (response: ServerResponse) => void;

/** Starts a server in place of the API: it gives one response after the other, and the last one from then on. */
export async function startStubApi(...responses: readonly StubResponse[]) {
  const requests: StubRequest[] = [];
  const server = createServer(async (message, response) => {
    const { url, headers, headersDistinct } = message;
    requests.push({
      url,
      authorization: headers.authorization,
      idempotencyKey: headersDistinct['idempotency-key']?.join(),
      body: await text(message),
      at: performance.now(),
    });
    responses[Math.min(requests.length, responses.length) - 1]?.(response);
  });
  const port = await listen(server);
  return { baseUrl: `http://127.0.0.1:${port}/v1`, requests, close: () => close(server) };
}

/** A response of JSON. */
export const respond =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): StubResponse =>
  (response) =>
    response
      .writeHead(status, { 'Content-Type': 'application/json', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body));

/** No response: the connection is lost. */
export const loseConnection: StubResponse = (response) => response.destroy();

/** The first byte of a response: then the connection is lost. */
export const loseConnectionMidway: StubResponse = (response) =>
  response.writeHead(201, { 'Content-Length': '100' }).write('{', () => response.destroy());
