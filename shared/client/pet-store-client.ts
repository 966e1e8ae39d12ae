import type { AfterResponseHook, BeforeRetryHook, KyInstance, Options } from 'ky';
import ky, { HTTPError, NetworkError } from 'ky';
import * as v from 'valibot';
import { parseJson, stringifyJson } from '../contract/json.ts';
import { pageSize } from '../contract/schemas/page-query.ts';
import * as contract from '../contract/schemas/pet.ts';
import { linkTarget } from './link-header.ts';
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

/**
 * Calls the API. Its 64-bit integers are bigints, exact to the last digit. Retries failed calls where that
 * helps, after `Retry-After`; a create keeps its Idempotency-Key. The last failure throws a `PetStoreError`.
 *
 * Requires ky 2 and a runtime with `fetch` and `JSON.rawJSON`, such as Node 22 or later.
 *
 * @example
 * ```ts
 * const api = new PetStoreClient({ baseUrl: 'https://pets.example.com/v1', apiKey });
 * const { pet } = await api.createPet({ name: 'Bella', categoryId: 1n }, 'order-4711');
 * for await (const { id, name } of api.iteratePets({ status: 'available' })) console.log(id, name);
 * ```
 */
export class PetStoreClient {
  readonly #http: KyInstance;
  readonly #baseUrl: string;
  readonly #totalTimeout: number | false;

  /** Accepts ky's options, such as `retry` and `totalTimeout` (for a call with retries, in ms). */
  constructor(
    { baseUrl, apiKey }: { readonly baseUrl: string; readonly apiKey: string },
    { fetch = globalThis.fetch, retry = {}, totalTimeout = 120_000, ...options }: Options = {},
  ) {
    if (/[^!-~]/.test(apiKey)) throw new TypeError('The API key contains invalid characters.');
    this.#baseUrl = baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`;
    this.#totalTimeout = totalTimeout;
    const defaults: Options = {
      headers: { Authorization: `Bearer ${apiKey}`, 'User-Agent': `pet-store-client/${version}` },
      parseJson,
      stringifyJson,
      timeout: 30_000,
      // Another address would get the body of a create.
      redirect: 'manual',
      retry: {
        limit: 10,
        methods: ['get', 'post'],
        backoffLimit: 10_000,
        jitter: true,
        retryOnTimeout: true,
        // After about five seconds without a connection, retrying is futile: nothing listens.
        shouldRetry: ({ error, retryCount }) =>
          error instanceof NetworkError && retryCount > 4 ? false : undefined,
      },
      // Reads the whole response, so that an attempt whose connection is lost midway is retried as well.
      async fetch(request, init) {
        const response = await fetch(request, init);
        return response.body ? new Response(await response.arrayBuffer(), response) : response;
      },
    };
    // A number would replace the defaults, of which ky's own do not include POST.
    const retries = typeof retry === 'number' ? { limit: retry } : retry;
    this.#http = ky.create(defaults).extend({ ...options, retry: retries });
  }

  /**
   * Creates one pet per key, however often it is called. `isReplayed`: the pet already existed. It is
   * undefined if the client cannot know, because the response to an earlier attempt of this call was lost.
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
      const next = linkTarget(response.headers.get('Link') ?? '', 'next');
      // Only the query: the base address stays the one that gets the key.
      query = next ? new URL(next, this.#baseUrl).search : '';
      const nextCursor = new URLSearchParams(query).get('cursor') ?? undefined;
      yield { pets, nextCursor, requestId: requestIdOf(response) };
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
    const url = `${this.#baseUrl}${path}`;
    const deadline = performance.now() + (totalTimeout || Number.POSITIVE_INFINITY);
    let failure: unknown;
    // Whether a failed attempt may have had its effect.
    let isUncertain = false;
    const afterResponse: AfterResponseHook = async ({ response }) => {
      if (response.ok) return;
      failure = await errorOf(response, url);
      // ky would wait until the deadline, and then throw a timeout.
      const seconds = Number(response.headers.get('Retry-After'));
      if (performance.now() + 1000 * seconds > deadline) throw failure;
    };
    const beforeRetry: BeforeRetryHook = ({ error }) => {
      isUncertain ||= !(error instanceof HTTPError && error.response.status < 500);
    };
    const hooks = { afterResponse: [afterResponse], beforeRetry: [beforeRetry] };
    try {
      const response = await this.#http(url, { ...request, ...options, totalTimeout, hooks });
      return { body: await bodyOf(schema, response, url), response, isUncertain };
    } catch (error) {
      throw toPetStoreError(error, url, failure);
    }
  }
}
