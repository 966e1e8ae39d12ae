import type { ClientEvent } from './client-event.ts';

/** Options for one call, or for all calls of a client. */
export interface CallOptions {
  /** Milliseconds for a call with its retries: 120,000 by default. `false` stands for no limit. */
  readonly timeout?: number | false;
  /** Milliseconds for each attempt: 30,000 by default. `false` stands for no limit. */
  readonly attemptTimeout?: number | false;
  /** How often a failed attempt is repeated at most: 10 times by default. */
  readonly retries?: number;
  /** Sent with each request, such as a `traceparent`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Aborts the call and its retries: the call throws the signal's reason. */
  readonly signal?: AbortSignal;
}

/** How to reach the API. */
export interface ClientOptions extends CallOptions {
  /** An absolute http or https URL that ends in `/v1`, or in a browser also a path such as `/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Your application in the `User-Agent`, such as `storefront/2.1`. */
  readonly application?: string;
  /** Called for each request, response and retry. What it throws ends the call. */
  readonly onEvent?: (event: ClientEvent) => void;
  /** Sends the requests, in place of the runtime's `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/** In milliseconds: timers take at most a 32-bit integer. */
const maxTimeout = 2 ** 31 - 1;

/** Only a page has an address that a path belongs to. */
const page = globalThis as { readonly location?: { readonly href: string } };

/**
 * Returns the base address as an absolute URL with a trailing slash.
 *
 * @throws {TypeError} that does not quote the URL, which may have a password
 */
export function absoluteBaseUrl(baseUrl: string): string {
  const isPath = typeof baseUrl === 'string' && baseUrl.startsWith('/');
  const url = URL.parse(baseUrl, isPath ? page.location?.href : undefined);
  const isHttp = url?.protocol === 'http:' || url?.protocol === 'https:';
  if (!isHttp || `${url.username}${url.password}${url.search}${url.hash}` !== '') {
    throw new TypeError('baseUrl must be an absolute http or https URL without a password or a query.');
  }
  return url.href.endsWith('/') ? url.href : `${url.href}/`;
}

/** @throws {TypeError} that does not quote the key */
export function checkApiKey(apiKey: string): void {
  if (typeof apiKey !== 'string' || apiKey === '') throw new TypeError('apiKey must not be empty.');
  if (/[^!-~]/.test(apiKey)) throw new TypeError('apiKey must contain only visible ASCII characters.');
}

/** @throws {TypeError} that names an option with an impossible value */
export function checkCallOptions({ timeout, attemptTimeout, retries }: CallOptions): void {
  for (const [name, value] of Object.entries({ timeout, attemptTimeout })) {
    if (value === undefined || value === false || (value > 0 && value <= maxTimeout)) continue;
    throw new TypeError(`${name} must be a positive number of milliseconds, at most ${maxTimeout}.`);
  }
  if (retries !== undefined && !(Number.isInteger(retries) && retries >= 0)) {
    throw new TypeError('retries must be an integer from 0.');
  }
}

/** JavaScript rounds integers past 2^53 without `JSON.rawJSON` and its counterpart in `JSON.parse`. */
export function checkRuntime(): void {
  if ('rawJSON' in JSON) return;
  throw new TypeError(
    'PetStoreClient needs JSON.rawJSON: use Node 22 or later, or another runtime that has it.',
  );
}
