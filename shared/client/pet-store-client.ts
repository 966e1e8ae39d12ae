import ky, { type KyInstance, NetworkError, type Options } from 'ky';
import * as v from 'valibot';
import { parseJson, stringifyJson } from '../contract/json.ts';
import { pageSize } from '../contract/schemas/page-query.ts';
import * as contract from '../contract/schemas/pet.ts';
import { linkTarget } from './link-header.ts';
import { errorOf, jsonOf, toPetStoreError, unexpectedResponse } from './pet-store-error.ts';
import { version } from './version.ts';

export { parseJson, stringifyJson } from '../contract/json.ts';
export type { PetStatus } from '../contract/schemas/pet.ts';
export { PetStoreError, type PetStoreErrorCode } from './pet-store-error.ts';

/** A pet to create. */
export type NewPet = v.InferInput<typeof contract.NewPet>;

/** A pet as the API returns it. Later API versions may add statuses. */
export type Pet = v.InferOutput<typeof Pet>;
const Pet = v.object({
  ...contract.Pet.entries,
  status: v.custom<contract.PetStatus | (string & Record<never, never>)>(
    (value) => typeof value === 'string',
  ),
});

/** A page of a list. */
export interface Page {
  readonly pets: readonly Pet[];
  /** Where the next page starts, to resume the list there; undefined on the last page. */
  readonly nextCursor: string | undefined;
  /** The `x-amzn-RequestId` of the response, to quote to the operator. */
  readonly requestId: string | undefined;
}

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
  readonly #fetch: typeof fetch;
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
    // Reads the whole response, so that an attempt whose connection is lost midway is retried as well.
    this.#fetch = async (request, init) => {
      const response = await fetch(request, init);
      return response.body ? new Response(await response.arrayBuffer(), response) : response;
    };
    const delay = (attempt: number) => Math.min(10_000, 300 * 2 ** (attempt - 1));
    const defaults: Options = {
      headers: { Authorization: `Bearer ${apiKey}`, 'User-Agent': `pet-store-client/${version}` },
      parseJson,
      stringifyJson,
      timeout: 30_000,
      // Another address would get the body of a create.
      redirect: 'manual',
      retry: { limit: 10, methods: ['get', 'post'], delay, jitter: true, retryOnTimeout: true, shouldRetry },
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
    const headers = { 'Idempotency-Key': idempotencyKey };
    const sent = { ...options, method: 'post', headers, json: newPet };
    const { body: pet, isUncertain, ...received } = await this.#send(Pet, 'pets', sent);
    const isMarked = received.headers.has('Idempotency-Replayed');
    const isReplayed = isMarked && isUncertain ? undefined : isMarked;
    return { pet, isReplayed, requestId: received.requestId };
  }

  /** Reads all pets, or those with one status, page by page. Pages are fetched lazily. */
  async *listPets({ status, limit = pageSize.maximum, cursor, ...options }: ListOptions = {}) {
    const start = { limit: `${limit}`, ...(status && { status }), ...(cursor && { cursor }) };
    let query: string | undefined = `?${new URLSearchParams(start)}`;
    while (query !== undefined) {
      const { body, headers, requestId }: Received<Pet[]> = await this.#send(
        v.array(Pet),
        `pets${query}`,
        options,
      );
      const next = linkTarget(headers.get('Link') ?? '', 'next');
      // Only the query: the base address stays the one that gets the key.
      query = next && new URL(next, this.#baseUrl).search;
      const nextCursor = new URLSearchParams(query).get('cursor') ?? undefined;
      yield { pets: body, nextCursor, requestId } satisfies Page;
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
    const { body: pet, requestId } = await this.#send(Pet, `pets/${petId}`, options);
    return { pet, requestId };
  }

  async #send<const TSchema extends v.GenericSchema>(
    schema: TSchema,
    path: string,
    { timeout, ...options }: CallOptions & Omit<Options, 'timeout'>,
  ): Promise<Received<v.InferOutput<TSchema>>> {
    const url = `${this.#baseUrl}${path}`;
    const totalTimeout = timeout ?? this.#totalTimeout;
    const deadline = totalTimeout === false ? Number.POSITIVE_INFINITY : performance.now() + totalTimeout;
    let failed: Response | undefined;
    let lostResponses = 0;

    const fetch = async (...request: Parameters<typeof globalThis.fetch>) => {
      lostResponses += 1;
      const response = await this.#fetch(...request);
      if (response.status < 500) lostResponses -= 1;
      if (response.ok) return response;
      failed = response.clone();
      // ky would wait until the deadline, and then throw a timeout.
      if (performance.now() + retryAfter(response) > deadline) throw await errorOf(response, url);
      return response;
    };
    try {
      const response = await this.#http(url, { ...options, totalTimeout, fetch });
      const { success, output, issues } = v.safeParse(schema, await jsonOf(response));
      if (!success) throw unexpectedResponse(response, url, issues);
      const { headers } = response;
      const requestId = headers.get('x-amzn-RequestId') ?? undefined;
      return { body: output, headers, requestId, isUncertain: lostResponses > 0 };
    } catch (error) {
      throw await toPetStoreError(error, url, failed);
    }
  }
}

interface Received<TBody> {
  readonly body: TBody;
  readonly headers: Headers;
  readonly requestId: string | undefined;
  /** Whether an earlier attempt may have had its effect, although it failed. */
  readonly isUncertain: boolean;
}

/** Stops retrying a failed connection after about five seconds: if nothing listens, retrying is futile. */
const shouldRetry = ({ error, retryCount }: { readonly error: Error; readonly retryCount: number }) =>
  error instanceof NetworkError && retryCount > 4 ? false : undefined;

/** Returns how long a response asks to wait, in ms: `Retry-After` is in seconds or a date (RFC 9110 §10.2.3). */
function retryAfter({ headers }: Response): number {
  const value = headers.get('Retry-After') ?? '0';
  return /^\d+$/.test(value) ? 1000 * Number(value) : Date.parse(value) - Date.now();
}
