import * as v from 'valibot';
import { idempotencyKeyRule, SentIdempotencyKey } from '../contract/idempotency-key.ts';
import { pageSize, queryOf } from '../paging/page-query.ts';
import type { PetStatus } from '../pets/pet.ts';
import type { CallOptions, ClientOptions } from './client-options.ts';
import { HttpClient } from './http-client.ts';
import { nextCursorOf } from './next-cursor.ts';
import { type NewPet, Pet } from './pet.ts';

export { parseJson, stringifyJson } from '../contract/json.ts';
export type { PetStatus } from '../pets/pet.ts';
export { PetStoreError, type PetStoreErrorCode } from './client-error.ts';
export type { CallOptions, ClientEvent, ClientOptions } from './client-options.ts';
export type { NewPet, Pet } from './pet.ts';

/** Which pets to list. */
export interface ListOptions extends CallOptions {
  readonly status?: PetStatus;
  /** The maximum number of pets on a page: 100 by default. */
  readonly limit?: number;
  /** The `nextCursor` of a page that was listed with the same status. */
  readonly cursor?: string;
}

/** The options that are query parameters, all of which are sent. */
type QueryOption = Exclude<keyof ListOptions, keyof CallOptions>;

interface Received {
  /** The `x-amzn-RequestId` of the response, to quote to the operator. */
  readonly requestId: string | undefined;
}

/** A page of pets. Iterating over it yields its pets, then those of the pages that follow, fetched lazily. */
export interface PetPage extends Received, AsyncIterable<Pet> {
  readonly pets: readonly Pet[];
  /** Where the next page starts, to store and to pass to `listPets`; undefined on the last page. */
  readonly nextCursor: string | undefined;
  /** Reads the next page, with the same options; the last page has none. */
  nextPage(): Promise<PetPage | undefined>;
}

/** A pet that was read. */
export interface FoundPet extends Received {
  readonly pet: Pet;
}

/** A pet that was created, now or before. */
export interface CreatedPet extends FoundPet {
  /**
   * False if this call created the pet, and true if the pet existed before. Undefined if an attempt of this call
   * got a 5xx or no response, and the next one found a pet: either is possible.
   */
  readonly isReplayed: boolean | undefined;
}

/**
 * Calls the API. Its 64-bit integers are bigints, exact to the last digit. Retries failed attempts where that
 * helps; a create keeps its Idempotency-Key. The last failure throws a `PetStoreError`.
 *
 * Requires a runtime with `fetch` and `JSON.rawJSON`, such as Node 22 or later.
 *
 * @example
 * ```ts
 * const api = new PetStoreClient({ baseUrl: 'https://pets.example.com/v1', apiKey });
 * const { pet } = await api.createPet({ name: 'Bella', categoryId: 1n }, 'order-4712');
 * for await (const { id, name } of await api.listPets({ status: 'available' })) console.log(id, name);
 * ```
 */
export class PetStoreClient {
  readonly #http: HttpClient;

  /** @throws {TypeError} that names an option with an impossible value */
  constructor(options: ClientOptions) {
    this.#http = new HttpClient(options);
  }

  /**
   * Creates one pet per key, however often it is called.
   *
   * @throws {TypeError} if the key cannot be sent as a header
   */
  async createPet(
    newPet: NewPet,
    idempotencyKey: string = crypto.randomUUID(),
    call: CallOptions = {},
  ): Promise<CreatedPet> {
    if (!v.is(SentIdempotencyKey, idempotencyKey)) {
      throw new TypeError(`idempotencyKey must be a string of ${idempotencyKeyRule}.`);
    }
    const headers = { 'Idempotency-Key': idempotencyKey };
    const request = { method: 'POST', path: 'pets', headers, json: newPet } as const;
    const { body: pet, response, requestId, isUncertain } = await this.#http.send(Pet, request, call);
    const isMarked = response.headers.has('Idempotency-Replayed');
    return { pet, isReplayed: isMarked && isUncertain ? undefined : isMarked, requestId };
  }

  /** Reads a page of all pets, or of those with one status. Iterate over it to read the pages after it, too. */
  async listPets(options: ListOptions = {}): Promise<PetPage> {
    return this.#readPage(options, []);
  }

  /** `cursors` have led to the page. */
  async #readPage(options: ListOptions, cursors: readonly (string | undefined)[]): Promise<PetPage> {
    const { limit = pageSize.maximum, status, cursor } = options;
    const query = queryOf({ limit, status, cursor } satisfies Record<QueryOption, unknown>);
    const request = { method: 'GET', path: `pets?${query}` } as const;
    const { body: pets, response, requestId } = await this.#http.send(v.array(Pet), request, options);
    const visited = [...cursors, cursor];
    const nextCursor = nextCursorOf(response, this.#http.baseUrl, visited);
    const nextPage = async () =>
      nextCursor === undefined ? undefined : this.#readPage({ ...options, cursor: nextCursor }, visited);
    return {
      pets,
      nextCursor,
      requestId,
      nextPage,
      async *[Symbol.asyncIterator]() {
        yield* pets;
        for (let page = await nextPage(); page; page = await page.nextPage()) yield* page.pets;
      },
    };
  }

  /**
   * Reads a pet.
   *
   * @throws {TypeError} if the id is not a positive integer: with an empty id, the API would return the list
   * @deprecated Use `listPets` with a status: the operation will be removed at its sunset.
   */
  async getPet(petId: bigint, call: CallOptions = {}): Promise<FoundPet> {
    if (!/^[1-9][0-9]*$/.test(`${petId}`)) throw new TypeError('A pet id must be a positive integer.');
    const request = { method: 'GET', path: `pets/${petId}` } as const;
    const { body: pet, requestId } = await this.#http.send(Pet, request, call);
    return { pet, requestId };
  }
}
