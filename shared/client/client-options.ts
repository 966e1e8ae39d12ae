/** Options for one call, or for all calls of a client. */
export interface CallOptions {
  /** Milliseconds for a call with its retries: 120,000 by default. */
  readonly timeout?: number;
  /** How often a failed attempt is repeated at most: 10 times by default. */
  readonly retries?: number;
  /** Sent with each request, such as a `traceparent`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Aborts the call and its retries, as the client's own signal does: the call throws the reason. */
  readonly signal?: AbortSignal;
}

/** How to reach the API. */
export interface ClientOptions extends CallOptions {
  /** An absolute http or https URL that ends in `/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Your application in the `User-Agent`, such as `storefront/2.1`. */
  readonly application?: string;
  /** Called for each request, response and retry, and awaited. What it throws ends the call. */
  readonly onEvent?: (event: ClientEvent) => unknown;
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

/**
 * Returns the base address without a slash at its end.
 *
 * @throws {TypeError} that quotes neither the key nor the URL, which may have a password
 */
export function baseUrlOf({ baseUrl, apiKey }: ClientOptions): string {
  if (!('rawJSON' in JSON)) {
    // It would round integers past 2^53.
    throw new TypeError('PetStoreClient needs JSON.rawJSON: use Node 22, or another runtime that has it.');
  }
  if (typeof apiKey !== 'string' || !/^[!-~]+$/.test(apiKey)) {
    throw new TypeError('apiKey must be a text of visible ASCII characters.');
  }
  const { href = '' } = URL.parse(baseUrl) ?? {};
  if (/^https?:[^?#@]+\/v1\/?$/.test(href)) return href.replace(/\/$/, '');
  throw new TypeError('baseUrl must be an http or https URL ending in /v1, without a password or a query.');
}

/**
 * Returns when to give up a call: its own options come before those of the client, whose signal counts, too.
 *
 * @throws {TypeError} that names an option with an impossible value
 */
export function limitsOf(client: CallOptions, call: CallOptions = {}) {
  // Such as listPets('sold'), which would list all pets.
  if (typeof call !== 'object') throw new TypeError("Options must be an object, such as { status: 'sold' }.");
  const { timeout = client.timeout ?? 120_000, retries = client.retries ?? 10 } = call;
  if (!Number.isInteger(timeout) || timeout < 1) {
    throw new TypeError('timeout must be an integer of milliseconds from 1.');
  }
  if (!Number.isInteger(retries) || retries < 0) throw new TypeError('retries must be an integer from 0.');
  return { timeout, retries, signal: AbortSignal.any([client.signal ?? [], call.signal ?? []].flat()) };
}
