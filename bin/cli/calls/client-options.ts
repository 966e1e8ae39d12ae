/** Options for one call, or for all calls of a client. */
export interface CallOptions {
  /** Milliseconds for a call with its retries: 120,000 by default. */
  readonly timeout?: number;
  /** How often a failed attempt is repeated at most: 10 times by default. */
  readonly retries?: number;
  /** Sent with each request, such as a `traceparent`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Aborts the call and its retries, as the client's own signal does: it fails with the code `aborted`. */
  readonly signal?: AbortSignal;
}

/** How to reach the API. */
export interface ClientOptions extends CallOptions {
  /** An absolute http or https URL that ends in `/v1`. */
  readonly baseUrl: string;
  /**
   * The key, or a function that returns it, which is called before each attempt, so that a key can be replaced
   * without a restart. What it throws ends the call, as the `cause` of an error with the code `aborted`.
   */
  readonly apiKey: string | (() => string | Promise<string>);
  /** Your application in the `User-Agent`, such as `storefront/2.1`. */
  readonly application?: string;
  /** Called for each event, and awaited. What it throws ends the call. */
  readonly onEvent?: (event: ClientEvent) => unknown;
  /** Sends a request in place of the runtime's `fetch`. */
  readonly fetch?: (url: string, init: FetchInit) => Promise<FetchedResponse>;
}

/** What each request gives to `fetch`: any implementation takes it. */
export interface FetchInit {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** A redirect is an error: to follow it could send the body of a create elsewhere. */
  readonly redirect: 'manual';
  readonly signal: AbortSignal;
}

/** What is read of a response, which any implementation of `fetch` returns. */
export interface FetchedResponse {
  readonly status: number;
  readonly headers: { forEach(callback: (value: string, name: string) => void): void };
  readonly body: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array> | null;
}

/** What happens during a call. No event contains the API key or a body. */
export type ClientEvent = RequestEvent | ResponseEvent | RetryEvent | DeprecationEvent;

/** What every event says. */
export interface Attempt {
  /** The operation, such as `listPets`. */
  readonly operation: string;
  /** The same for all attempts of a call. */
  readonly callId: string;
  /** The first attempt of a call is 1. */
  readonly attempt: number;
  readonly method: string;
  readonly url: string;
}

/** A request is about to be sent. */
interface RequestEvent extends Attempt {
  readonly type: 'request';
}

/** A response has arrived as a whole. */
interface ResponseEvent extends Attempt {
  readonly type: 'response';
  readonly status: number;
  /** The `x-amzn-RequestId`, to quote to the operator. */
  readonly requestId: string | undefined;
  /** The time since its request. */
  readonly milliseconds: number;
}

/** An attempt failed. After a wait, the next one follows. */
interface RetryEvent extends Attempt {
  readonly type: 'retry';
  /** The HTTP status, or 0 without a response. */
  readonly status: number;
  readonly waitMilliseconds: number;
}

/** The operation is deprecated. A client says so once per operation. */
interface DeprecationEvent extends Attempt {
  readonly type: 'deprecation';
  /** When it was deprecated, or will be (RFC 9745), unless the response gives another kind of date. */
  readonly since: Date | undefined;
  /** When it will be removed (RFC 8594), if that is known. */
  readonly sunset: Date | undefined;
}
