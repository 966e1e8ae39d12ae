import type { GenericSchema } from 'valibot';
import { replaceBigint } from '../../../shared/contract/json.ts';
import type { Operation } from '../../../shared/contract/operation.ts';
import { checkedBaseUrl, checkedCall, checkedNumber } from './check-options.ts';
import { PetStoreError, requestIdOf } from './client-error.ts';
import type { Attempt, CallOptions, ClientOptions, FetchInit } from './client-options.ts';
import { abortedError, askForKey, fetchWhole, pause } from './fetch-whole.ts';
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

interface AttemptOptions<T> {
  readonly schema: GenericSchema<unknown, T>;
  readonly init: Omit<FetchInit, 'signal'>;
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

/** Whether a failed request may have had its effect. What is not from the API does not tell, but that it throttled. */
const mayHaveActed = ({ code, status }: PetStoreError) =>
  status === 0 || status >= 500 || (code === 'unexpected_response' && status !== 429);

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

/** Returns the same error, so that its stack stays. */
const withIdempotencyKey = (error: PetStoreError, { headers = {} }: HttpRequest, isUncertain: boolean) =>
  Object.assign(error, { idempotencyKey: isUncertain ? headers['Idempotency-Key'] : undefined });

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
   * may have had its effect. `others` has the options that `call` may have besides those of every call.
   *
   * @throws {PetStoreError} if the last attempt fails
   * @throws {TypeError} if an option, or a number of the body, is impossible
   */
  async send<T, TOptions extends CallOptions>(
    schema: GenericSchema<unknown, T>,
    request: HttpRequest,
    call: TOptions,
    others: Readonly<Record<Exclude<keyof TOptions, keyof CallOptions>, unknown>>,
  ) {
    const { timeout, retries, signal, headers } = checkedCall(this.#options, call, others);
    const { operation, method, path } = request;
    const about = { operation, callId: crypto.randomUUID(), method, url: `${this.baseUrl}/${path}` };
    const init = this.#requestInit(request, headers);
    const deadline = performance.now() + timeout;
    let isUncertain = false;
    let lostConnections = 0;
    /** Says more than that the time is over. */
    let cause: PetStoreError | undefined;

    for (let attempt = 1; ; attempt += 1) {
      const result = await this.#attempt({ ...about, attempt }, { schema, init, deadline, signal, cause });
      if (!(result instanceof PetStoreError)) {
        return { ...result, isUncertain: isUncertain || isRepeatedByRuntime };
      }

      const { status, code } = result;
      if (code !== 'timeout') cause = result;
      isUncertain ||= mayHaveActed(result);
      lostConnections = code === 'unreachable' ? lostConnections + 1 : 0;
      const wait = waitAfter(result, attempt);
      const isLast = attempt > retries || lostConnections === maxLostConnections;
      // A timer may end a millisecond early.
      const isOver = performance.now() + wait >= deadline - 2;
      if (isLast || isOver || !isRepeatable(request, result, isUncertain)) {
        throw withIdempotencyKey(result, request, isUncertain);
      }
      await this.#options.onEvent?.({ type: 'retry', ...about, attempt, status, waitMilliseconds: wait });
      await pause({ milliseconds: wait, signal });
    }
  }

  /** Sends a request once. Returns what a successful response says, or why there is none. */
  async #attempt<T>(about: Attempt, { schema, init, deadline, signal, cause }: AttemptOptions<T>) {
    const { apiKey, fetch = globalThis.fetch, onEvent } = this.#options;
    const { url } = about;
    const limits = () => ({
      url,
      cause,
      signal,
      milliseconds: Math.max(1, Math.min(attemptTimeout, deadline - performance.now())),
    });
    if (signal.aborted) return abortedError(url, signal);
    const key = await askForKey(apiKey, limits());
    if (key instanceof PetStoreError) return key;
    const withoutKey = (text: string) => text.replaceAll(key, '<API key>');
    await onEvent?.({ type: 'request', ...about });
    const start = performance.now();
    const sent = { ...init, headers: { ...init.headers, authorization: `Bearer ${key}` } };
    const result = await fetchWhole(fetch, sent, withoutKey, limits());
    if (result instanceof PetStoreError) return result;

    const { status, headers } = result;
    const requestId = requestIdOf(headers);
    await onEvent?.({
      type: 'response',
      ...about,
      status,
      requestId,
      milliseconds: performance.now() - start,
    });
    const deprecation = this.#newDeprecation(about.operation, headers);
    if (deprecation) await onEvent?.({ type: 'deprecation', ...about, ...deprecation });
    if (status < 200 || status >= 300) return errorOf(result, withoutKey);
    const body = bodyOf(schema, result);
    return body instanceof PetStoreError ? body : { body, response: { headers, requestId } };
  }

  /** Returns the deprecation in a response, unless an earlier one of this operation had it. */
  #newDeprecation(operation: string, headers: Headers) {
    const deprecation = deprecationIn(headers);
    if (deprecation === undefined || this.#deprecated.has(operation)) return undefined;
    this.#deprecated.add(operation);
    return deprecation;
  }

  #requestInit(
    { method, headers: own = {}, json }: HttpRequest,
    headers: Headers,
  ): AttemptOptions<unknown>['init'] {
    const { application } = this.#options;
    const agents = [application, `pet-store-client/${version}`, globalThis.navigator?.userAgent];
    for (const [name, value] of Object.entries(own)) headers.set(name, value);
    if (json !== undefined) headers.set('Content-Type', 'application/json');
    headers.set('User-Agent', agents.filter((agent) => agent !== undefined).join(' '));
    const body =
      json === undefined
        ? null
        : JSON.stringify(json, (name, value) => replaceBigint(name, checkedNumber(name, value)));
    return { method, headers: Object.fromEntries(headers), body, redirect: 'manual' };
  }
}
