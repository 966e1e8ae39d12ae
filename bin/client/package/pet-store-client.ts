import * as v from 'valibot';
import { idempotencyKeyRule, SentIdempotencyKey } from '../../../shared/contract/idempotency-key.ts';
import { pageSize, queryOf } from '../../../shared/paging/page-query.ts';
import { Pet as PetSchema, type PetStatus } from '../../../shared/pets/pet.ts';
import { checkedNumber } from '../../cli/calls/check-options.ts';
import type { CallOptions, ClientOptions } from '../../cli/calls/client-options.ts';
import { HttpClient } from '../../cli/calls/http-client.ts';
import { nextCursorOf } from '../../cli/calls/next-cursor.ts';
import { LazyPage } from './lazy-page.ts';
import type { NewPet, Pet } from './pet.ts';

export {
  parseJson,
  replaceBigint,
  reviveInteger,
  stringifyJson,
} from '../../../shared/contract/json.ts';
export type { PetStatus } from '../../../shared/pets/pet.ts';
export { PetStoreError, type PetStoreErrorCode } from '../../cli/calls/client-error.ts';
export type {
  CallOptions,
  ClientEvent,
  ClientOptions,
  FetchedResponse,
  FetchInit,
} from '../../cli/calls/client-options.ts';
export type { NewPet, Pet } from './pet.ts';

/** How to create a pet. */
export interface CreateOptions extends CallOptions {
  /**
   * 1 to 255 visible ASCII characters: a later call with the same key and the same pet creates no second one. By
   * default a new UUID, which only the retries of this call share.
   */
  readonly idempotencyKey?: string;
}

/** Which pets to list. */
export interface ListOptions extends CallOptions {
  /** Only the pets with this status: all by default. */
  readonly status?: PetStatus;
  /** The maximum number of pets on a page: 100 by default. */
  readonly limit?: number;
  /** The `nextCursor` of a page that was listed with the same status. */
  readonly cursor?: string | undefined;
}

/** The options that are query parameters, all of which are sent. */
type QueryOption = Exclude<keyof ListOptions, keyof CallOptions>;

interface Received {
  /** The headers of the response. */
  readonly headers: Headers;
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

/**
 * The first page, once you await it. Iterating over it yields the pets of all pages. Its request is sent when you
 * first do either, and only once.
 */
export interface PetList extends Promise<PetPage>, AsyncIterable<Pet> {}

/** A pet that was read. */
export interface FoundPet extends Received {
  readonly pet: Pet;
}

/** A pet that was created, now or before. */
export interface CreatedPet extends FoundPet {
  /** The key that was sent: the option's, or a new UUID. */
  readonly idempotencyKey: string;
  /**
   * False if this call created the pet, as it does without an `idempotencyKey`, and true if the pet existed before.
   * Undefined if either is possible: an attempt of this call got a 5xx or no response, and the next one found a
   * pet. On Deno, whose `fetch` repeats requests without telling, it is never true.
   */
  readonly isReplayed: boolean | undefined;
}

/**
 * Calls the API. Its 64-bit integers are bigints, exact to the last digit. Retries failed attempts where that
 * helps; a create keeps its Idempotency-Key. The last failure throws a `PetStoreError`. Of a response, it reads at
 * most 2 MiB.
 *
 * Requires a runtime with `fetch` and `JSON.rawJSON`, such as Node 22 or later.
 *
 * @example
 * ```ts
 * const api = new PetStoreClient({ baseUrl: 'https://pets.example.com/v1', apiKey });
 * const { pet } = await api.createPet({ name: 'Bella', categoryId: 1n }, { idempotencyKey: 'order-4712' });
 * for await (const { id, name } of api.listPets({ status: 'available' })) console.log(id, name);
 * ```
 */
export class PetStoreClient {
  readonly #http: HttpClient;

  /** @throws {TypeError} that names an option which does not exist, or has an impossible value */
  constructor(options: ClientOptions) {
    this.#http = new HttpClient(options);
  }

  /**
   * Creates one pet per key, however often it is called.
   *
   * @throws {PetStoreError} with the API's code, such as `invalid_body`, or `idempotency_key_reused` if an earlier
   * call sent another pet with the key; or with `timeout`, `unreachable`, `aborted` or `unexpected_response`. Its
   * `idempotencyKey` is set if the pet may have been created.
   * @throws {TypeError} if an option, or a number that may have lost digits, cannot be sent
   */
  async createPet(newPet: NewPet, options: CreateOptions = {}): Promise<CreatedPet> {
    const { idempotencyKey = crypto.randomUUID() } = options;
    if (!v.is(SentIdempotencyKey, idempotencyKey)) {
      throw new TypeError(`idempotencyKey must be a string of ${idempotencyKeyRule}.`);
    }
    const headers = { 'Idempotency-Key': idempotencyKey };
    const request = { operation: 'createPet', method: 'POST', path: 'pets', headers, json: newPet } as const;
    const {
      body: pet,
      isUncertain,
      response,
    } = await this.#http.send(PetSchema, request, options, {
      idempotencyKey,
    });
    // No earlier call had a key that this one has generated.
    const isFound = options.idempotencyKey !== undefined && response.headers.has('Idempotency-Replayed');
    return { pet, isReplayed: isFound && isUncertain ? undefined : isFound, idempotencyKey, ...response };
  }

  /**
   * Lists all pets, or those with one status. Await it to get a page. Iterate over it, with or without awaiting it,
   * to get the pets of all pages.
   *
   * @throws {PetStoreError} with the API's code, such as `invalid_query` for the cursor of another list; or with
   * `timeout`, `unreachable`, `aborted` or `unexpected_response`. To go on later, store each page's `nextCursor`.
   * @throws {TypeError} if an option is impossible
   */
  listPets(options: ListOptions = {}): PetList {
    return new LazyPage(() => this.#readPage(options, []));
  }

  /** `cursors` have led to the page. */
  async #readPage(options: ListOptions, cursors: readonly (string | undefined)[]): Promise<PetPage> {
    const { limit = pageSize.maximum, status, cursor } = options;
    const query = { limit, status, cursor } satisfies Record<QueryOption, unknown>;
    const request = { operation: 'listPets', method: 'GET', path: `pets?${queryOf(query)}` } as const;
    const { body: pets, response } = await this.#http.send(v.array(PetSchema), request, options, query);
    const visited = [...cursors, cursor];
    const nextCursor = nextCursorOf(response, this.#http.baseUrl, visited);
    const nextPage = async () =>
      nextCursor === undefined ? undefined : this.#readPage({ ...options, cursor: nextCursor }, visited);
    return {
      pets,
      nextCursor,
      ...response,
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
   * @throws {PetStoreError} with the API's code, such as `not_found`, or `gone` once it is removed; or with `timeout`,
   * `unreachable`, `aborted` or `unexpected_response`
   * @throws {TypeError} if the id is not a positive integer: with an empty id, the API would return the list
   * @deprecated Use `listPets` with a status: it will be removed at its sunset.
   */
  async getPet(petId: bigint, options: CallOptions = {}): Promise<FoundPet> {
    if (!/^[1-9][0-9]*$/.test(`${checkedNumber('petId', petId)}`))
      throw new TypeError('A pet id must be a positive integer.');
    const request = { operation: 'getPet', method: 'GET', path: `pets/${petId}` } as const;
    const { body: pet, response } = await this.#http.send(PetSchema, request, options, {});
    return { pet, ...response };
  }
}
