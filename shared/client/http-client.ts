import type { GenericSchema } from 'valibot';
import { stringifyJson } from '../contract/json.ts';
import type { Operation } from '../contract/operation.ts';
import { bodyOf, PetStoreError } from './client-error.ts';
import type { CallOptions, ClientOptions } from './client-options.ts';
import { baseUrlOf, limitsOf } from './client-options.ts';
import { fetchWhole, pause } from './fetch-whole.ts';
import { version } from './version.ts';

/** A request below the base URL. */
interface HttpRequest {
  readonly method: Operation['method'];
  /** With its query, without a leading slash. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
}

/** In milliseconds: the API responds within 29 seconds, so that an attempt that takes longer is lost. */
const attemptTimeout = 30_000;

/** The number of attempts in a row without a connection after which nothing seems to listen. */
const maxLostConnections = 5;

/** A status of 0 says that there was no response. */
const canSucceedLater = ({ status }: PetStoreError) => [0, 408, 429].includes(status) || status >= 500;

/**
 * Whether several requests have the effect of one (RFC 9110 §9.2.2), although a repeated DELETE may get a 404 for
 * what the first has deleted.
 */
const isIdempotent = ({ method, headers = {} }: HttpRequest) =>
  (method !== 'POST' && method !== 'PATCH') || 'Idempotency-Key' in headers;

const isRepeatable = (request: HttpRequest, error: PetStoreError, isUncertain: boolean) =>
  canSucceedLater(error) && (!isUncertain || isIdempotent(request));

/** Returns the milliseconds until the next attempt, partly random, so that clients do not return together. */
const waitAfter = ({ retryAfter = 0 }: PetStoreError, attempt: number) =>
  1000 * retryAfter + Math.random() * Math.min(10_000, 300 * 2 ** (attempt - 1));

/** Sends requests with the API key, and repeats those that fail where that helps and has no second effect. */
export class HttpClient {
  readonly baseUrl: string;
  readonly #options: ClientOptions;

  /** @throws {TypeError} that names an option with an impossible value */
  constructor(options: ClientOptions) {
    limitsOf(options);
    this.baseUrl = baseUrlOf(options);
    this.#options = options;
  }

  /**
   * Returns a successful response and its body. `isUncertain` says that an earlier attempt may have had its effect.
   *
   * @throws {PetStoreError} if the last attempt fails
   */
  async send<T>(schema: GenericSchema<unknown, T>, request: HttpRequest, call: CallOptions) {
    const { fetch = globalThis.fetch, onEvent } = this.#options;
    const { timeout, retries, signal } = limitsOf(this.#options, call);
    const url = `${this.baseUrl}/${request.path}`;
    const init = this.#requestInit(request, call);
    const deadline = performance.now() + timeout;
    const callId = crypto.randomUUID();
    let isUncertain = false;
    let lostConnections = 0;
    let lastError: PetStoreError | undefined;

    for (let attempt = 1; ; attempt += 1) {
      const about = { callId, attempt, method: request.method, url };
      signal.throwIfAborted();
      await onEvent?.({ type: 'request', ...about });
      const start = performance.now();
      const limit = Math.max(1, Math.min(attemptTimeout, deadline - start));
      const result = await fetchWhole(fetch, url, init, { milliseconds: limit, signal });
      const { status, requestId } = result;
      const milliseconds = performance.now() - start;
      if (status > 0) await onEvent?.({ type: 'response', ...about, status, requestId, milliseconds });
      if (!(result instanceof PetStoreError)) {
        return { ...result, body: bodyOf(schema, result, url), isUncertain };
      }

      // When time runs out, the last response says more.
      lastError = result.code === 'timeout' ? (lastError ?? result) : result;
      isUncertain ||= status === 0 || status >= 500;
      lostConnections = result.code === 'unreachable' ? lostConnections + 1 : 0;
      const wait = waitAfter(result, attempt);
      const isLast = attempt > retries || lostConnections === maxLostConnections;
      // A timer may end a millisecond early.
      const isOver = performance.now() + wait >= deadline - 2;
      if (isLast || isOver || !isRepeatable(request, result, isUncertain)) throw lastError;
      await onEvent?.({ type: 'retry', ...about, status, waitMilliseconds: wait });
      await pause({ milliseconds: wait, signal });
    }
  }

  #requestInit({ method, headers, json }: HttpRequest, call: CallOptions): RequestInit {
    const { apiKey, application, headers: ofClient } = this.#options;
    const agents = [application, `pet-store-client/${version}`, globalThis.navigator?.userAgent];
    const own = {
      ...headers,
      ...(json !== undefined && { 'Content-Type': 'application/json' }),
      Authorization: `Bearer ${apiKey}`,
      'User-Agent': agents.filter((agent) => agent !== undefined).join(' '),
    };
    const merged = new Headers(ofClient);
    for (const part of [call.headers, own]) {
      for (const [name, value] of new Headers(part)) merged.set(name, value);
    }
    const body = json === undefined ? null : stringifyJson(json);
    // To follow a redirect could send the body of a create elsewhere.
    return { method, headers: merged, body, redirect: 'manual' };
  }
}
