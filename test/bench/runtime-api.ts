import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { close, listen } from '../../infra/local/http/listen.ts';

/** The time that Lambda gives a function, in milliseconds: no invocation here comes near it. */
const timeout = 60_000;

/** How an invocation went: how long it took, in milliseconds, and what the function returned. */
export interface Invocation {
  readonly milliseconds: number;
  readonly result: unknown;
}

/**
 * The Runtime API of one function: the function asks it for events and posts its results.
 * https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
 */
export class RuntimeApi implements AsyncDisposable {
  readonly #server: Server;
  #next = Promise.withResolvers<ServerResponse>();
  #result = Promise.withResolvers<IncomingMessage>();
  #port = 0;

  private constructor() {
    this.#server = createServer((request, response) => {
      if (request.url?.endsWith('/next')) this.#next.resolve(response);
      else this.#receive(request, response);
    });
  }

  static async start(): Promise<RuntimeApi> {
    const runtimeApi = new RuntimeApi();
    runtimeApi.#port = await listen(runtimeApi.#server);
    return runtimeApi;
  }

  /** What the function is told, `host:port`. */
  get address(): string {
    return `127.0.0.1:${this.#port}`;
  }

  /** Ends when the function asks for an event: after init, and after each invocation. */
  async untilReady(): Promise<void> {
    await this.#next.promise;
  }

  /** Invokes the function; the time is from the event sent to the result received. */
  async invoke(event: unknown): Promise<Invocation> {
    const response = await this.#next.promise;
    this.#next = Promise.withResolvers();
    this.#result = Promise.withResolvers();
    const body = JSON.stringify(event);

    const start = performance.now();
    response.writeHead(200, {
      'Lambda-Runtime-Aws-Request-Id': 'request',
      'Lambda-Runtime-Deadline-Ms': Date.now() + timeout,
      'Content-Length': Buffer.byteLength(body),
    });
    response.end(body);
    const result = await text(await this.#result.promise);
    const milliseconds = performance.now() - start;

    return { milliseconds, result: JSON.parse(result) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await close(this.#server);
  }

  #receive(request: IncomingMessage, response: ServerResponse): void {
    this.#result.resolve(request);
    request.on('end', () => response.writeHead(202, { 'Content-Length': 0 }).end());
  }
}
