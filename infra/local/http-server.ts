import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { errorBody } from '../../shared/contract/errors/error-table.ts';
import type { Gateway } from './api-gateway/gateway.ts';
import { type HttpResponse, type Page, readRequest } from './http/http.ts';
import { listen } from './http/listen.ts';
import { isForeign } from './http/same-origin.ts';
import { printable } from './text/printable.ts';

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
}

const foreignBody = errorBody(
  'not_found',
  'The local API accepts requests only to 127.0.0.1 or localhost, and none from pages of other origins.',
);

/** The HTTP server of the local API. Node itself rejects what is not HTTP, as a front end does on AWS. */
export class HttpServer {
  /** Responds to clients. Without it their connections are dropped, as if the port were closed. */
  gateway: Gateway | undefined;
  /** By method and path, such as `GET /`: pages that do not go through the gateway. */
  readonly pages = new Map<string, Page>();
  readonly #onRequest: (record: RequestRecord) => void;
  readonly #server: Server;

  constructor(onRequest: (record: RequestRecord) => void = () => undefined) {
    this.#onRequest = onRequest;
    const options = {
      // Request line and headers: https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html
      maxHeaderSize: 10_240,
      // A client may reuse a connection just as the server closes it: Node's default of 5 s is too short.
      keepAliveTimeout: 60_000,
    };
    this.#server = createServer(options, this.#listener.bind(this));
  }

  /** Starts listening on this machine, and returns the port. Pages are served from then on. */
  listen(port?: number): Promise<number> {
    return listen(this.#server, port);
  }

  /** Closes the port and all connections. */
  async close(): Promise<void> {
    this.gateway = undefined;
    const closed = once(this.#server, 'close');
    this.#server.close().closeAllConnections();
    await closed;
  }

  #listener(message: IncomingMessage, response: ServerResponse): void {
    this.#respond(message, response).catch((error: Error) => {
      // The client disconnected while sending its request.
      if (message.destroyed && !message.complete) return;
      console.error(printable(`${error.stack}`));
      if (this.gateway) this.#send(response, this.gateway.gatewayResponse('DEFAULT_5XX'));
      else response.destroy();
    });
  }

  async #respond(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(message);
    // Guards against DNS rebinding and other origins: these pages expose a key and the tables.
    const page = isForeign(request) ? undefined : this.pages.get(`${request.method} ${request.path}`);
    if (page) return this.#send(response, await page(request));

    if (!this.gateway) return void response.destroy();
    const { gateway } = this;
    const { id: requestId, method, receivedAt } = request;
    const foreign = { ...gateway.gatewayResponse('MISSING_AUTHENTICATION_TOKEN'), body: foreignBody };
    const sent = isForeign(request) ? foreign : await gateway.respond(request);
    this.#send(response, { ...sent, headers: { ...sent.headers, 'x-amzn-RequestId': requestId } });

    const { status } = sent;
    const milliseconds = Date.now() - receivedAt.getTime();
    const code = status >= 400 ? /^\{"code":"(\w+)"/.exec(String(sent.body))?.[1] : undefined;
    const url = response.req.url ?? '';
    this.#onRequest({ requestId, method, url, status, code, milliseconds });
  }

  #send(response: ServerResponse, { status, headers, body }: HttpResponse): void {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    response.statusCode = status;
    response.end(body);
  }
}
