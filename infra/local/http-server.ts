import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { commonHeaders } from '../../shared/contract/common-headers.ts';
import { errorBody } from '../../shared/contract/error-table.ts';
import type { AccessLogValues } from './api-gateway/access-log.ts';
import type { Gateway } from './api-gateway/gateway.ts';
import { type HttpRequest, type HttpResponse, readRequest, sendResponse } from './http.ts';

/** One request, as the request log has it. */
export interface RequestRecord {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly milliseconds: number;
  /** The line that API Gateway's access log would have of it. */
  readonly accessLogLine: string;
}

/** What the server serves: the gateway, and what else of this machine is found at a path of its own. */
export interface Served {
  readonly gateway: Gateway;
  readonly toAccessLogLine: (values: AccessLogValues) => string;
  /** By method and path: `GET /`, say. */
  readonly pages: ReadonlyMap<string, Page>;
}

/** Answers whatever is asked at a path. */
export type Page = (request: HttpRequest) => Promise<HttpResponse>;

/** The HTTP server of the local API: whatever comes in, the answer is in the Error shape or what it should be. */
export function createHttpServer(
  { gateway, toAccessLogLine, pages }: Served,
  onRequest: (record: RequestRecord) => void,
): Server {
  // What Node would refuse with an answer of its own goes to the gateway instead.
  const server = createServer({ requireHostHeader: false });

  async function answer(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const startedAt = performance.now();
    const requestId = randomUUID();
    const request = await readRequest(message);
    response.shouldKeepAlive &&= server.listening;

    const page =
      request && isForThisMachine(message) ? pages.get(`${request.method} ${request.path}`) : undefined;
    if (request && page) return sendResponse(response, await page(request));

    const answered = await (request
      ? gateway.answer(request, requestId, hostOf(message))
      : gateway.gatewayResponse('REQUEST_TOO_LARGE'));
    const { status, headers, logged } = answered;
    sendResponse(response, { ...answered, headers: { ...headers, 'x-amzn-RequestId': requestId } });

    const { method = '', url = '' } = message;
    const [path = ''] = url.split('?');
    const milliseconds = Math.round(performance.now() - startedAt);
    const accessLogLine = toAccessLogLine({
      requestId,
      extendedRequestId: requestId,
      'identity.sourceIp': message.socket.remoteAddress ?? '-',
      requestTime: new Date().toISOString(),
      httpMethod: method,
      status: `${status}`,
      responseLatency: `${milliseconds}`,
      ...logged,
    });
    onRequest({ requestId, method, path, status, milliseconds, accessLogLine });
  }

  function listener(message: IncomingMessage, response: ServerResponse): void {
    answer(message, response).catch((error: Error) => {
      // A client that went away in the middle of its request wants no answer.
      if (message.destroyed && !message.complete) return;
      console.error(error.stack);
      sendResponse(response, gateway.gatewayResponse('DEFAULT_5XX'));
    });
  }
  return server
    .on('request', listener)
    .on('checkExpectation', listener)
    .on('connect', (_message, socket) => refuseMalformed(socket))
    .on('clientError', (_error, socket) => refuseMalformed(socket));
}

/** The address that the client has reached, whatever its Host header says. */
const hostOf = ({ socket }: IncomingMessage) => `${socket.localAddress}:${socket.localPort}`;

/** A page of another site, whose name was made to lead here, must not read what only this machine may: a key. */
const isForThisMachine = ({ headers }: IncomingMessage) =>
  /^(127\.0\.0\.1|localhost)(:\d+)?$/.test(headers.host ?? '');

/** Answers what is no HTTP request, or one whose headers are larger than Node reads. */
function refuseMalformed(socket: Duplex): void {
  if (!socket.writable) return;
  const body = errorBody('invalid_header', 'The request line or a header is malformed or too large.');
  const headers = {
    ...commonHeaders,
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 400 Bad Request\r\n${lines.join('')}\r\n${body}`);
}
