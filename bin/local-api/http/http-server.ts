import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { printable } from '../../cli/printable.ts';
import type { Gateway } from '../api-gateway/gateway.ts';
import type { Project } from '../project.ts';
import { listen } from './listen.ts';
import {
  type Endpoint,
  type HttpRequest,
  type HttpResponse,
  type Intercept,
  readRequest,
} from './read-request.ts';
import { isForeign } from './same-origin.ts';

// To import it would load all that the module exports, such as an HTTP client.
const { createServer } = process.getBuiltinModule('node:http');

/** One request, as it is logged. */
export interface RequestRecord {
  readonly requestId: string;
  readonly method: string;
  /** With the query. */
  readonly url: string;
  readonly status: number;
  /** The code of an error. */
  readonly code: string | undefined;
  readonly milliseconds: number;
  /** What the client should change. */
  readonly warning: string | undefined;
}

/** A browser hides the body of the response from such a page. */
const foreignWarning = "from another origin or Host: call it through your development server's proxy";

const warningOf = ({ headers }: IncomingMessage): string | undefined =>
  headers['transfer-encoding'] === undefined ? undefined : 'a chunked body: send a Content-Length';

/** Creates the local API's HTTP server. Node itself rejects what is not HTTP, as a front end does on AWS. */
export function createHttpServer(
  { foreignBody }: Pick<Project, 'foreignBody'>,
  onRequest: (record: RequestRecord) => void = () => undefined,
) {
  /** Responds to clients. Without it their connections are dropped, as if the port were closed. */
  let gateway: Gateway | undefined;
  /** What stands in front of the gateway. */
  let intercept: Intercept = (_request, respond) => respond();
  /** By method and path, such as `GET /`, or `* /a/` for all below: endpoints that do not go through the gateway. */
  const endpoints = new Map<string, Endpoint>();
  const options = {
    // Request line and headers: https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html
    maxHeaderSize: 10_240,
    // A client may reuse a connection just as the server closes it: Node's default of 5 s is too short.
    keepAliveTimeout: 60_000,
  };
  const server = createServer(options, (message, response) => {
    respond(message, response).catch((error: Error) => {
      // The client disconnected while sending its request.
      if (message.destroyed && !message.complete) return;
      console.error(printable(`${error.stack}`));
      if (gateway) send(response, gateway.gatewayResponse('DEFAULT_5XX'));
      else response.destroy();
    });
  });

  async function respond(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(message);
    const isFromElsewhere = isForeign(request);
    // Guards against DNS rebinding and other origins: these endpoints expose a key and the tables.
    const endpoint = isFromElsewhere ? undefined : endpointOf(request);
    if (endpoint) return send(response, await endpoint(request));

    const current = gateway;
    if (!current) return void response.destroy();
    const { id: requestId, method, receivedAt } = request;
    const foreign = { ...current.gatewayResponse('MISSING_AUTHENTICATION_TOKEN'), body: foreignBody };
    const sent = isFromElsewhere ? foreign : await intercept(request, () => current.respond(request));
    send(response, { ...sent, headers: { ...sent.headers, 'x-amzn-RequestId': requestId } });

    const { status } = sent;
    const milliseconds = Date.now() - receivedAt.getTime();
    const code = status >= 400 ? /^\{"code":"(\w+)"/.exec(String(sent.body))?.[1] : undefined;
    const warning = isFromElsewhere ? foreignWarning : warningOf(message);
    onRequest({ requestId, method, url: message.url ?? '', status, code, milliseconds, warning });
  }

  const endpointOf = ({ method, path }: HttpRequest): Endpoint | undefined =>
    endpoints.get(`${method} ${path}`) ?? endpoints.get(`* /${path.split('/', 2)[1]}/`);

  /** @throws {TypeError} if a header is one that HTTP forbids */
  function send(response: ServerResponse, { status, headers, body, isLost = false }: HttpResponse): void {
    if (isLost) return void response.destroy();
    // Those of a response that could not be sent.
    for (const name of response.getHeaderNames()) response.removeHeader(name);
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    response.statusCode = status;
    response.end(body);
  }

  return {
    endpoints,
    /** Starts listening on this machine, and returns the port. Endpoints are served from then on. */
    listen: (port?: number) => listen(server, port),
    /** Serves the API from then on. */
    serve(next: Gateway): void {
      gateway = next;
    },
    /** Passes each request of the API to this function from then on, as to a web ACL. */
    interceptRequests(by: Intercept): void {
      intercept = by;
    },
    /** Closes the port and all connections. */
    async close(): Promise<void> {
      gateway = undefined;
      const closed = once(server, 'close');
      server.close().closeAllConnections();
      await closed;
    },
  };
}
