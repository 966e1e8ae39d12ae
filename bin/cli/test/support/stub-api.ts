import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import { listen } from '../../../local-api/http/listen.ts';

/** Returns the parts of a request that tests check. */
const received = ({ url, headers, headersDistinct }: IncomingMessage, body: string) => ({
  url,
  authorization: headers.authorization,
  userAgent: headers['user-agent'],
  idempotencyKey: headersDistinct['idempotency-key']?.join(),
  headers,
  body,
});

export type StubResponse = (response: ServerResponse) => void;

/** Stands in for the API during a test: sends each response once, in order, then repeats the last one. */
export async function startStubApi(...responses: readonly StubResponse[]) {
  const requests: ReturnType<typeof received>[] = [];
  const server = createServer(async (message, response) => {
    requests.push(received(message, await text(message)));
    responses[Math.min(requests.length, responses.length) - 1]?.(response);
  });
  const port = await listen(server);
  onTestFinished(() => server.close().closeAllConnections());
  return { baseUrl: `http://127.0.0.1:${port}/v1`, requests };
}

export const respond =
  (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): StubResponse =>
  (response) =>
    response
      .writeHead(status, { 'Content-Type': 'application/json', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body));

export const loseConnection: StubResponse = (response) => response.destroy();

/** Closes the connection after the first byte of a response. */
export const loseConnectionMidway: StubResponse = (response) =>
  response.writeHead(201, { 'Content-Length': '100' }).write('{', () => response.destroy());
