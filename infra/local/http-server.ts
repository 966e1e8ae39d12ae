import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { answerHeaders } from '../../shared/answer-headers.ts';
import { errorBody } from '../../shared/error-table.ts';
import type { Gateway } from './gateway.ts';
import { readRequest, sendAnswer } from './http.ts';

/** One request, as the request log has it. */
export interface RequestRecord {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly milliseconds: number;
}

/** The HTTP server in front of the gateway: whatever comes in, the answer is the gateway's or in the Error shape. */
export function createHttpServer(gateway: Gateway, onRequest: (record: RequestRecord) => void): Server {
  // What Node would refuse with an answer of its own goes to the gateway instead.
  const server = createServer({ requireHostHeader: false });

  async function answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const startedAt = performance.now();
    const requestId = randomUUID();
    const request = await readRequest(message);
    const { status, headers, body } = await (request
      ? gateway.answer(request, requestId, message.headers.host ?? '')
      : gateway.gatewayResponse('REQUEST_TOO_LARGE'));

    response.shouldKeepAlive &&= server.listening;
    sendAnswer(response, { status, headers: { ...headers, 'x-amzn-RequestId': requestId }, body });
    const [path = ''] = (message.url ?? '').split('?');
    const milliseconds = Math.round(performance.now() - startedAt);
    onRequest({ requestId, method: message.method ?? '', path, status, milliseconds });
  }

  function listener(message: IncomingMessage, response: ServerResponse): void {
    answer(message, response).catch((error: Error) => {
      // A client that went away in the middle of its request wants no answer.
      if (message.destroyed && !message.complete) return;
      console.error(error.stack);
      sendAnswer(response, gateway.gatewayResponse('DEFAULT_5XX'));
    });
  }
  return server
    .on('request', listener)
    .on('checkExpectation', listener)
    .on('clientError', (_error, socket) => refuseMalformed(socket));
}

/** Answers what is no HTTP request, or one whose headers are larger than Node reads. */
function refuseMalformed(socket: Duplex): void {
  if (!socket.writable) return;
  const body = errorBody('invalid_header', 'The request line or a header is malformed or too large.');
  const headers = {
    ...answerHeaders,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 400 Bad Request\r\n${lines.join('')}\r\n${body}`);
}
