import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { readRequest, sendResponse } from '../http/http.ts';
import type { Dynamodb } from './embedded-dynamodb.ts';

/** An HTTP server for a DynamoDB; the caller decides where it listens. */
export function createDynamodbServer(dynamodb: Dynamodb): Server {
  async function respond(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(message);
    if (!request) return sendResponse(response, { status: 413, headers: {}, body: '' });
    const { 'x-amz-target': target, authorization } = request.headers;
    sendResponse(
      response,
      await dynamodb.respond({ target: target?.[0], authorization: authorization?.[0], body: request.body }),
    );
  }

  const server = createServer((message, response) => {
    respond(message, response).catch((error: Error) => {
      // A function that timed out has closed its connection.
      if (!message.destroyed) console.error(error.stack);
      response.destroy();
    });
  });
  // Otherwise it may close an idle connection just as the next call is sent.
  server.keepAliveTimeout = 0;
  return server;
}
