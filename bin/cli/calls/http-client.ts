import type { GenericSchema } from 'valibot';
import { stringifyJson } from '../../../shared/contract/json.ts';
import type { Operation } from '../../../shared/contract/operation.ts';
import { checkedBaseUrl, checkedCall } from './check-options.ts';
import { PetStoreError, requestIdOf } from './client-error.ts';
import type { Attempt, CallOptions, ClientOptions } from './client-options.ts';
import { abortedError, fetchWhole, pause } from './fetch-whole.ts';
import { bodyOf, deprecationIn, errorOf } from './read-response.ts';
import { version } from './version.ts';

/** A request below the base URL. */
interface HttpRequest {
  readonly operation: Operation['operationId'];
  readonly method: Operation['method'];
  /** With its query, without a leading slash. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
}

interface AttemptOptions {
  /** As `performance.now()` counts. */
  readonly deadline: number;
  readonly signal: AbortSignal;
  /** How an earlier attempt failed. */
  readonly cause: PetStoreError | undefined;
}

/** In milliseconds: the API responds within 29 seconds, so that an attempt that takes longer is lost. */
const attemptTimeout = 30_000;

/** The number of attempts in a row without a connection after which nothing seems to listen. */
const maxLostConnections = 5;

/** Deno's fetch itself repeats a request whose connection is lost, and does not tell. */
const isRepeatedByRuntime = 'Deno' in globalThis;

/** A status of 0 says that there was no response. */
const canSucceedLater = ({ code, status }: PetStoreError) =>
  code !== 'aborted' && ([0, 408, 429].includes(status) || status >= 500);

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
  /** The operations that are known to be deprecated. */
  readonly #deprecated = new Set<string>();

  /** @throws {TypeError} that names an option with an impossible value */
  constructor(options: ClientOptions) {
    this.baseUrl = checkedBaseUrl(options);
    checkedCall(options);
    this.#options = options;
  }

  /**
   * Returns the body of a successful response, and what else it says. `isUncertain` says that an earlier attempt
   * may have had its effect.
   *
   * @throws {PetStoreError} if the last attempt fails
   */
  async send<T>(schema: GenericSchema<unknown, T>, request: HttpRequest, call: CallOptions) {
    const { timeout, retries, signal, headers } = checkedCall(this.#options, call);
    const { operation, method, path } = request;
    const about = { operation, callId: crypto.randomUUID(), method, url: `${this.baseUrl}/${path}` };
    const init = this.#requestInit(request, headers);
    const deadline = performance.now() + timeout;
    let isUncertain = false;
    let lostConnections = 0;
    /** Says more than that the time is over. */
    let cause: PetStoreError | undefined;

    for (let attempt = 1; ; attempt += 1) {
      const result = await this.#attempt({ ...about, attempt }, init, { deadline, signal, cause });
      const { status } = result;
      if (!(result instanceof PetStoreError)) {
        const { headers } = result;
        const response = { headers, requestId: requestIdOf(headers) };
        return {
          body: bodyOf(schema, result),
          isUncertain: isUncertain || isRepeatedByRuntime,
          response,
        };
      }

      if (result.code !== 'timeout') cause = result;
      isUncertain ||= status === 0 || status >= 500;
      lostConnections = result.code === 'unreachable' ? lostConnections + 1 : 0;
      const wait = waitAfter(result, attempt);
      const isLast = attempt > retries || lostConnections === maxLostConnections;
      // A timer may end a millisecond early.
      const isOver = performance.now() + wait >= deadline - 2;
      if (isLast || isOver || !isRepeatable(request, result, isUncertain)) throw result;
      await this.#options.onEvent?.({ type: 'retry', ...about, attempt, status, waitMilliseconds: wait });
      await pause({ milliseconds: wait, signal });
    }
  }

  /** Sends a request once. Returns the successful response, or why there is none. */
  async #attempt(about: Attempt, init: RequestInit, { deadline, signal, cause }: AttemptOptions) {
    const { apiKey, fetch = globalThis.fetch, onEvent } = this.#options;
    const withoutKey = (text: string) => text.replaceAll(apiKey, '<API key>');
    if (signal.aborted) return abortedError(about.url, signal);
    await onEvent?.({ type: 'request', ...about });
    const start = performance.now();
    const limits = { milliseconds: Math.max(1, Math.min(attemptTimeout, deadline - start)), signal };
    const result = await fetchWhole(fetch, about.url, init, { ...limits, withoutKey, cause });
    if (result instanceof PetStoreError) return result;

    const { status, headers } = result;
    const milliseconds = performance.now() - start;
    await onEvent?.({ type: 'response', ...about, status, requestId: requestIdOf(headers), milliseconds });
    const deprecation = this.#newDeprecation(about.operation, headers);
    if (deprecation) await onEvent?.({ type: 'deprecation', ...about, ...deprecation });
    return status >= 200 && status < 300 ? result : errorOf(result, withoutKey);
  }

  /** Returns the deprecation in a response, unless an earlier one of this operation had it. */
  #newDeprecation(operation: string, headers: Headers) {
    const deprecation = deprecationIn(headers);
    if (deprecation === undefined || this.#deprecated.has(operation)) return undefined;
    this.#deprecated.add(operation);
    return deprecation;
  }

  #requestInit({ method, headers: own = {}, json }: HttpRequest, headers: Headers): RequestInit {
    const { apiKey, application } = this.#options;
    const agents = [application, `pet-store-client/${version}`, globalThis.navigator?.userAgent];
    for (const [name, value] of Object.entries(own)) headers.set(name, value);
    if (json !== undefined) headers.set('Content-Type', 'application/json');
    headers.set('Authorization', `Bearer ${apiKey}`);
    headers.set('User-Agent', agents.filter((agent) => agent !== undefined).join(' '));
    const body = json === undefined ? null : stringifyJson(json);
    // To follow a redirect could send the body of a create elsewhere.
    return { method, headers, body, redirect: 'manual' };
  }
}
