import * as v from 'valibot';
import { idempotencyKeyRule, SentIdempotencyKey } from '../contract/idempotency-key.ts';
import { pageSize } from '../paging/page-query.ts';
import type { PetStatus } from '../pets/pet.ts';
import type { CallOptions, ClientOptions } from './client-options.ts';
import { HttpClient } from './http-client.ts';
import { nextPageOf } from './next-query.ts';
import { type NewPet, Pet } from './pet.ts';
import { PetPage } from './pet-page.ts';
import { requestIdOf } from './pet-store-error.ts';

export { parseJson, stringifyJson } from '../contract/json.ts';
export type { PetStatus } from '../pets/pet.ts';
export type { ClientEvent, RequestEvent, ResponseEvent, RetryEvent } from './client-event.ts';
export type { CallOptions, ClientOptions } from './client-options.ts';
export type { NewPet, Pet } from './pet.ts';
export type { PetPage } from './pet-page.ts';
export { PetStoreError, type PetStoreErrorCode } from './pet-store-error.ts';

/** Which pets to list. */
export interface ListOptions extends CallOptions {
  readonly status?: PetStatus;
  /** The maximum number of pets on a page: 100 by default. */
  readonly limit?: number;
  /** The `nextCursor` of a page that was listed with the same status. */
  readonly cursor?: string;
}

/** A pet that was created, now or before. */
export interface CreatedPet {
  readonly pet: Pet;
  /**
   * False if this call created the pet, and true if the pet existed before. Undefined if an attempt of this call
   * got a 5xx or no response, and the next one found a pet: either is possible.
   */
  readonly isReplayed: boolean | undefined;
  /** The `x-amzn-RequestId` of the response, to quote to the operator. */
  readonly requestId: string | undefined;
}

/** A pet that was read. */
export interface FoundPet {
  readonly pet: Pet;
  /** The `x-amzn-RequestId` of the response, to quote to the operator. */
  readonly requestId: string | undefined;
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
    const { body: pet, response, isUncertain } = await this.#http.send(Pet, request, call);
    const isMarked = response.headers.has('Idempotency-Replayed');
    const isReplayed = isMarked && isUncertain ? undefined : isMarked;
    return { pet, isReplayed, requestId: requestIdOf(response) };
  }

  /** Reads a page of all pets, or of those with one status. Iterate over it to read the pages after it, too. */
  async listPets({ status, limit = pageSize.maximum, cursor, ...call }: ListOptions = {}): Promise<PetPage> {
    const start = { limit: `${limit}`, ...(status && { status }), ...(cursor && { cursor }) };
    const pageOf = new Map(cursor === undefined ? [] : [[cursor, 0]]);
    return this.#readPage(`?${new URLSearchParams(start)}`, call, pageOf, 1);
  }

  async #readPage(
    query: string,
    call: CallOptions,
    pageOf: Map<string, number>,
    page: number,
  ): Promise<PetPage> {
    const path = `pets${query}`;
    const { body: pets, response } = await this.#http.send(v.array(Pet), { method: 'GET', path }, call);
    const next = nextPageOf(response, `${this.#http.baseUrl}${path}`, pageOf, page);
    return new PetPage({
      pets,
      nextCursor: next?.cursor,
      requestId: requestIdOf(response),
      next: () => next && this.#readPage(next.query, call, pageOf, page + 1),
    });
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
    const { body: pet, response } = await this.#http.send(Pet, request, call);
    return { pet, requestId: requestIdOf(response) };
  }
}
