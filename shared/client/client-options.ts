/** Options for one call, or for all calls of a client. */
export interface CallOptions {
  /** Milliseconds for a call with its retries: 120,000 by default. */
  readonly timeout?: number;
  /** How often a failed attempt is repeated at most: 10 times by default. */
  readonly retries?: number;
  /** Sent with each request, such as a `traceparent`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Aborts the call and its retries: the call throws the signal's reason. */
  readonly signal?: AbortSignal;
}

/** How to reach the API. */
export interface ClientOptions extends CallOptions {
  /** An absolute http or https URL that ends in `/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Your application in the `User-Agent`, such as `storefront/2.1`. */
  readonly application?: string;
  /** Called for each request, response and retry. What it throws ends the call. */
  readonly onEvent?: (event: ClientEvent) => void;
  /** Sends a request in place of the runtime's `fetch`, and rejects when the request's signal is aborted. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** What every event says: `callId` is the same for all attempts of a call, the first of which is 1. */
interface Attempt {
  readonly callId: string;
  readonly attempt: number;
  readonly method: string;
  readonly url: string;
}

/** What happens during a call. No event contains the API key or a body. */
export type ClientEvent =
  | (Attempt & { readonly type: 'request' })
  /** A response has arrived as a whole, `milliseconds` after its request. */
  | (Attempt & {
      readonly type: 'response';
      readonly status: number;
      /** The `x-amzn-RequestId`, to quote to the operator. */
      readonly requestId: string | undefined;
      readonly milliseconds: number;
    })
  /** An attempt failed, with status 0 if it got no response. After a wait, the next one follows. */
  | (Attempt & { readonly type: 'retry'; readonly status: number; readonly waitMilliseconds: number });

/** Timers take at most a 32-bit integer of milliseconds. */
const maxTimeout = 2 ** 31 - 1;

/**
 * Returns the base address as an absolute URL with a trailing slash.
 *
 * @throws {TypeError} that does not quote the URL, which may have a password
 */
export function absoluteBaseUrl(baseUrl: string): string {
  const url = URL.parse(baseUrl);
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (!isHttp || `${url.username}${url.password}${url.search}${url.hash}` !== '') {
    throw new TypeError('baseUrl must be an absolute http or https URL without a password or a query.');
  }
  return url.href.endsWith('/') ? url.href : `${url.href}/`;
}

/** @throws {TypeError} that names an option with an impossible value, and does not quote the key */
export function checkClientOptions(options: ClientOptions): void {
  const { apiKey } = options;
  if (!('rawJSON' in JSON)) {
    // It would round integers past 2^53.
    throw new TypeError('PetStoreClient needs JSON.rawJSON: use Node 22, or another runtime that has it.');
  }
  if (typeof apiKey !== 'string' || !/^[!-~]+$/.test(apiKey)) {
    throw new TypeError('apiKey must be a text of visible ASCII characters.');
  }
  checkCallOptions(options);
}

/** @throws {TypeError} that names an option with an impossible value */
export function checkCallOptions({ timeout = 1, retries = 0 }: CallOptions): void {
  if (!Number.isInteger(timeout) || timeout < 1 || timeout > maxTimeout) {
    throw new TypeError(`timeout must be an integer of milliseconds from 1 to ${maxTimeout}.`);
  }
  if (!Number.isInteger(retries) || retries < 0) throw new TypeError('retries must be an integer from 0.');
}
