import type { AfterResponseHook, BeforeRetryHook, KyInstance, Options, RetryOptions } from 'ky';
import ky, { HTTPError, NetworkError } from 'ky';
import * as v from 'valibot';
import { parseJson, stringifyJson } from '../contract/json.ts';
import { pageSize } from '../contract/schemas/page-query.ts';
import * as contract from '../contract/schemas/pet.ts';
import {
  absoluteBaseUrl,
  type ClientOptions,
  checkApiKey,
  checkRuntime,
  checkTimeout,
} from './client-options.ts';
import { fetchWhole } from './fetch-whole.ts';
import { nextQuery } from './next-query.ts';
import { bodyOf, errorOf, requestIdOf, toPetStoreError } from './pet-store-error.ts';
import { version } from './version.ts';

export { parseJson, stringifyJson } from '../contract/json.ts';
export type { PetStatus } from '../contract/schemas/pet.ts';
export { PetStoreError, type PetStoreErrorCode } from './pet-store-error.ts';

/** A pet to create. */
export type NewPet = v.InferInput<typeof contract.NewPet>;

/** Later API versions may add statuses. */
type Status = contract.PetStatus | (string & Record<never, never>);
const Status = v.custom<Status>((value) => typeof value === 'string');

/** A pet as the API returns it. */
export type Pet = v.InferOutput<typeof Pet>;
const Pet = v.object({ ...contract.Pet.entries, status: Status });

/** Options of a single call. */
export interface CallOptions {
  /** Aborts the call and its retries. */
  readonly signal?: AbortSignal;
  /** Milliseconds for the call with its retries, or for each page, instead of the client's `totalTimeout`. */
  readonly timeout?: number;
}

export interface ListOptions extends CallOptions {
  readonly status?: contract.PetStatus;
  /** The maximum number of pets on a page. */
  readonly limit?: number;
  /** The `nextCursor` of a page that was listed with the same status. */
  readonly cursor?: string;
}

/** What may succeed when it is repeated. A `Retry-After` header counts with each of them. */
const retriedStatuses = [408, 429, 500, 502, 503, 504];

/** The number of attempts in a row without a connection after which nothing seems to listen. */
const maxLostConnections = 5;

/**
 * Calls the API. Its 64-bit integers are bigints, exact to the last digit. Retries failed calls where that
 * helps, after `Retry-After`; a create keeps its Idempotency-Key. The last failure throws a `PetStoreError`.
 *
 * Requires ky 2 and a runtime with `fetch` and `JSON.rawJSON`, such as Node 22 or later.
 *
 * @example
 * ```ts
 * const api = new PetStoreClient({ baseUrl: 'https://pets.example.com/v1', apiKey });
 * const { pet } = await api.createPet({ name: 'Bella', categoryId: 1n }, 'order-4712');
 * for await (const { id, name } of api.iteratePets({ status: 'available' })) console.log(id, name);
 * ```
 */
export class PetStoreClient {
  readonly #http: KyInstance;
  readonly #baseUrl: string;
  readonly #totalTimeout: number | false;
  readonly #shouldRetry: RetryOptions['shouldRetry'];

  /**
   * Accepts ky's options, such as `retry`, `timeout` (of an attempt, in ms) and `totalTimeout` (of a call with
   * its retries, in ms).
   *
   * @throws {TypeError} that names an option with an impossible value
   */
  constructor({ baseUrl, apiKey }: ClientOptions, kyOptions: Options = {}) {
    const { fetch = globalThis.fetch, retry = {}, ...options } = kyOptions;
    const { timeout = 30_000, totalTimeout = 120_000 } = options;
    checkRuntime();
    checkApiKey(apiKey);
    checkTimeout('timeout', timeout);
    checkTimeout('totalTimeout', totalTimeout);
    this.#baseUrl = absoluteBaseUrl(baseUrl);
    this.#totalTimeout = totalTimeout;
    // A number would replace the defaults, of which ky's own do not include POST.
    const retries = typeof retry === 'number' ? { limit: retry } : retry;
    this.#shouldRetry = retries.shouldRetry;
    const defaults: Options = {
      headers: { Authorization: `Bearer ${apiKey}`, 'User-Agent': `pet-store-client/${version}` },
      parseJson,
      stringifyJson,
      timeout,
      // Another address would get the body of a create.
      redirect: 'manual',
      retry: {
        limit: 10,
        methods: ['get', 'post'],
        backoffLimit: 10_000,
        jitter: true,
        retryOnTimeout: true,
        statusCodes: retriedStatuses,
        afterStatusCodes: retriedStatuses,
        // Merged here, because ky would append one list of statuses to the other.
        ...retries,
      },
      fetch: (request, init) => fetchWhole(fetch, request, init),
    };
    this.#http = ky.create(defaults).extend(options);
  }

  /**
   * Creates one pet per key, however often it is called. `isReplayed` is false if this call created the pet,
   * and true if the pet existed before. It is undefined if an attempt of this call got a 5xx or no response, and
   * the next one found a pet: either is possible.
   */
  async createPet(newPet: NewPet, idempotencyKey: string = crypto.randomUUID(), options: CallOptions = {}) {
    const request = { method: 'post', headers: { 'Idempotency-Key': idempotencyKey }, json: newPet };
    const { body: pet, response, isUncertain } = await this.#send(Pet, 'pets', options, request);
    const isMarked = response.headers.has('Idempotency-Replayed');
    const isReplayed = isMarked && isUncertain ? undefined : isMarked;
    return { pet, isReplayed, requestId: requestIdOf(response) };
  }

  /** Reads all pets, or those with one status, page by page. `nextCursor` is where the next page starts. */
  async *listPets({ status, limit = pageSize.maximum, cursor, ...options }: ListOptions = {}) {
    const start = { limit: `${limit}`, ...(status && { status }), ...(cursor && { cursor }) };
    let query = `?${new URLSearchParams(start)}`;
    while (query !== '') {
      const { body: pets, response } = await this.#send(v.array(Pet), `pets${query}`, options);
      const next = nextQuery(response, `${this.#baseUrl}pets${query}`);
      yield { pets, nextCursor: next.cursor, requestId: requestIdOf(response) };
      query = next.query;
    }
  }

  /** Reads all pets, or those with one status, one by one. Pages are fetched lazily. */
  async *iteratePets(options: ListOptions = {}) {
    for await (const { pets } of this.listPets(options)) yield* pets;
  }

  /**
   * Reads a pet.
   *
   * @throws {TypeError} if the id is not a positive integer: with an empty id, the API would return the list
   * @deprecated Use `listPets` with a status: the operation will be removed on 5 December 2030.
   */
  async getPet(petId: bigint, options: CallOptions = {}) {
    if (!/^[1-9][0-9]*$/.test(`${petId}`)) throw new TypeError('A pet id must be a positive integer.');
    const { body: pet, response } = await this.#send(Pet, `pets/${petId}`, options);
    return { pet, requestId: requestIdOf(response) };
  }

  async #send<T>(schema: v.GenericSchema<unknown, T>, path: string, call: CallOptions, request?: Options) {
    const { timeout: totalTimeout = this.#totalTimeout, ...options } = call;
    checkTimeout('timeout', totalTimeout);
    const url = `${this.#baseUrl}${path}`;
    const deadline = performance.now() + (totalTimeout || Number.POSITIVE_INFINITY);
    let failure: unknown;
    // Whether a failed attempt may have had its effect.
    let isUncertain = false;
    const afterResponse: AfterResponseHook = async ({ response }) => {
      if (response.ok) return;
      const error = await errorOf(response, url);
      failure = error;
      // ky would wait until the deadline, and then throw a timeout.
      if (performance.now() + 1000 * (error.retryAfter ?? 0) > deadline) throw error;
    };
    let lostConnections = 0;
    const shouldRetry: RetryOptions['shouldRetry'] = async (state) => {
      lostConnections = state.error instanceof NetworkError ? lostConnections + 1 : 0;
      const decision = await this.#shouldRetry?.(state);
      return decision ?? (lostConnections < maxLostConnections ? undefined : false);
    };
    const beforeRetry: BeforeRetryHook = ({ error }) => {
      isUncertain ||= !(error instanceof HTTPError && error.response.status < 500);
    };
    const hooks = { afterResponse: [afterResponse], beforeRetry: [beforeRetry] };
    try {
      const retry = { shouldRetry };
      const response = await this.#http(url, { ...request, ...options, totalTimeout, hooks, retry });
      return { body: await bodyOf(schema, response, url), response, isUncertain };
    } catch (error) {
      throw toPetStoreError(error, url, failure);
    }
  }
}
