import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { commonHeaders } from '../../shared/contract/common-headers.ts';
import { errorBody } from '../../shared/contract/errors/error-table.ts';
import type { AccessLogValues } from './api-gateway/access-log.ts';
import type { Gateway } from './api-gateway/gateway.ts';
import { type HttpRequest, type HttpResponse, readRequest, sendResponse } from './http/http.ts';
import { isForeign } from './http/same-origin.ts';
import { printable } from './text/printable.ts';

/** One request, as it is logged. */
export interface RequestRecord {
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly milliseconds: number;
  /** Its line in API Gateway's access log. */
  readonly accessLogLine: string;
}

/** What the server serves: the gateway, and pages of this machine, each at its path. */
export interface Served {
  readonly gateway: Gateway;
  readonly toAccessLogLine: (values: AccessLogValues) => string;
  /** By method and path: `GET /`, say. */
  readonly pages: ReadonlyMap<string, Page>;
}

/** Responds to whatever is sent to a path. */
export type Page = (request: HttpRequest) => Promise<HttpResponse>;

const foreignMessage =
  'The local API is for this machine: it takes requests to 127.0.0.1 or localhost, and none from pages of other origins.';

/** The HTTP server of the local API: whatever comes in, the response is in the Error shape or what it should be. */
export function createHttpServer(
  { gateway, toAccessLogLine, pages }: Served,
  onRequest: (record: RequestRecord) => void,
): Server {
  const server = createServer({
    // What Node would refuse with a response of its own goes to the gateway instead.
    requireHostHeader: false,
    // A client may send a request just when the server closes the idle connection: Node's 5 s are met by any short pause.
    keepAliveTimeout: 60_000,
  });

  function send(response: ServerResponse, sent: HttpResponse): void {
    // A server that closes waits for no connection that was kept for another request.
    response.shouldKeepAlive &&= server.listening;
    sendResponse(response, sent);
  }

  async function respond(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const startedAt = performance.now();
    const requestId = randomUUID();
    const request = await readRequest(message);

    // Guards against DNS rebinding, and pages of other origins: these pages hold a key, and lead to the tables.
    const isRefused = isForeign(message);
    const page = request && !isRefused ? pages.get(`${request.method} ${request.path}`) : undefined;
    if (request && page) return send(response, await page(request));

    const { logged, ...sent } = await (isRefused
      ? {
          ...gateway.gatewayResponse('MISSING_AUTHENTICATION_TOKEN'),
          body: errorBody('not_found', foreignMessage),
        }
      : request
        ? gateway.respond(request, requestId, hostOf(message))
        : gateway.gatewayResponse('REQUEST_TOO_LARGE'));
    send(response, { ...sent, headers: { ...sent.headers, 'x-amzn-RequestId': requestId } });

    const { method = '', url = '' } = message;
    const [path = ''] = url.split('?');
    const { status } = sent;
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
    respond(message, response).catch((error: Error) => {
      // Nobody is left to respond to when the client has disconnected in the middle of its request.
      if (message.destroyed && !message.complete) return;
      console.error(printable(`${error.stack}`));
      send(response, gateway.gatewayResponse('DEFAULT_5XX'));
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

/** Responds to what is not an HTTP request, or has larger headers than Node reads. */
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
