import ky, { HTTPError } from 'ky';
import type { GenericSchema } from 'valibot';
import { parseJson, stringifyJson } from '../contract/json.ts';
import { Attempts } from './attempts.ts';
import {
  absoluteBaseUrl,
  type CallOptions,
  type ClientOptions,
  checkApiKey,
  checkCallOptions,
  checkRuntime,
} from './client-options.ts';
import { fetchWhole } from './fetch-whole.ts';
import { bodyOf, requestIdOf, toPetStoreError } from './pet-store-error.ts';
import { version } from './version.ts';

/** A request below the base URL. */
interface HttpRequest {
  readonly method: 'GET' | 'POST';
  /** With its query, without a leading slash. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
}

/** What may succeed when it is repeated. */
const retriedStatuses = [408, 429, 500, 502, 503, 504];

/** Sends requests with the API key, and repeats those that fail where that helps. */
export class HttpClient {
  readonly baseUrl: string;
  readonly #options: ClientOptions;

  /** @throws {TypeError} that names an option with an impossible value */
  constructor(options: ClientOptions) {
    checkRuntime();
    checkApiKey(options.apiKey);
    checkCallOptions(options);
    this.baseUrl = absoluteBaseUrl(options.baseUrl);
    this.#options = options;
  }

  /**
   * Returns the body of a successful response. `isUncertain` says that an earlier attempt may have had its
   * effect.
   *
   * @throws {PetStoreError} if the last attempt fails
   */
  async send<T>(schema: GenericSchema<unknown, T>, request: HttpRequest, call: CallOptions) {
    checkCallOptions(call);
    const { fetch = globalThis.fetch, onEvent, ...defaults } = this.#options;
    const options: CallOptions = { ...defaults, ...call };
    const { timeout = 120_000, attemptTimeout = 30_000, retries = 10, signal = null } = options;
    const { method, path, json } = request;
    const url = `${this.baseUrl}${path}`;
    const callId = crypto.randomUUID();
    const attempts = new Attempts(url, performance.now() + (timeout || Number.POSITIVE_INFINITY));
    let attempt = 0;

    /** Sends one attempt. */
    async function fetchAttempt(input: Request): Promise<Response> {
      attempt += 1;
      const about = { callId, attempt, method, url };
      onEvent?.({ type: 'request', ...about });
      const start = performance.now();
      const response = await fetchWhole(fetch, input);
      const milliseconds = performance.now() - start;
      const requestId = requestIdOf(response);
      onEvent?.({ type: 'response', ...about, status: response.status, requestId, milliseconds });
      return response;
    }

    function reportRetry({ error }: { readonly error: Error }): void {
      const status = error instanceof HTTPError ? error.response.status : 0;
      onEvent?.({ type: 'retry', callId, attempt, method, url, status, waitMilliseconds: attempts.wait });
    }

    try {
      const response = await ky(url, {
        method,
        json,
        signal,
        headers: this.#headers(call, request),
        parseJson,
        stringifyJson,
        timeout: attemptTimeout,
        totalTimeout: timeout,
        // Another address would get the body of a create.
        redirect: 'manual',
        fetch: (input, init) => fetchAttempt(new Request(input, init)),
        retry: {
          limit: retries,
          methods: ['get', 'post'],
          statusCodes: retriedStatuses,
          retryOnTimeout: true,
          shouldRetry: attempts.shouldRetry,
          // The wait has Retry-After in it. On `Retry-After: 0`, ky would not wait at all.
          afterStatusCodes: [],
          delay: () => attempts.wait,
        },
        hooks: { afterResponse: [attempts.afterResponse], beforeRetry: [reportRetry] },
      });
      return { body: await bodyOf(schema, response, url), response, isUncertain: attempts.isUncertain };
    } catch (error) {
      throw toPetStoreError(error, url, attempts.failure);
    }
  }

  #headers(call: CallOptions, { headers }: HttpRequest): Headers {
    const { apiKey, application } = this.#options;
    const agents = [application, `pet-store-client/${version}`, globalThis.navigator?.userAgent];
    const merged = new Headers({ ...this.#options.headers });
    const own = {
      ...headers,
      Authorization: `Bearer ${apiKey}`,
      'User-Agent': agents.filter((agent) => agent !== undefined).join(' '),
    };
    for (const [name, value] of Object.entries({ ...call.headers, ...own })) merged.set(name, value);
    return merged;
  }
}
