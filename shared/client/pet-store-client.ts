import ky, { HTTPError, type KyInstance, NetworkError, type Options, TimeoutError } from 'ky';
import * as v from 'valibot';
import { parseJson, stringifyJson } from '../contract/json.ts';
import { pageSize } from '../contract/schemas/list-pets-query.ts';
import { type NewPet, Pet, type PetStatus } from '../contract/schemas/pet.ts';

/**
 * A failed call, with the code, message and status of the API's error. Where there is none, the code is `unreachable` or
 * `timeout`, with status 0, or `unexpected_response`, for a response that is not a pet store's.
 */
export class PetStoreError extends Error {
  override readonly name = 'PetStoreError';
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status = 0, cause?: unknown) {
    super(message, { cause });
    this.code = code;
    this.status = status;
  }
}

/**
 * A client of the API. Its 64-bit integers are bigints, exact to the last digit; a call that fails throws a
 * `PetStoreError`, after retries where they may help: as `Retry-After` asks, and creates under one Idempotency-Key.
 */
export class PetStoreClient {
  readonly #http: KyInstance;

  /** `options` are ky's, such as `signal`, `retry` and `totalTimeout` (of a call with its retries, in milliseconds). */
  constructor(
    { baseUrl, apiKey }: { readonly baseUrl: string; readonly apiKey: string },
    { fetch = globalThis.fetch, ...options }: Options = {},
  ) {
    if (/[^!-~]/.test(apiKey)) throw new TypeError('The API key has characters that no API key has.');
    const delay = (attempt: number) => Math.min(10_000, 300 * 2 ** (attempt - 1));
    const defaults: Options = {
      prefix: baseUrl,
      headers: { Authorization: `Bearer ${apiKey}` },
      parseJson,
      stringifyJson,
      timeout: 30_000,
      totalTimeout: 120_000,
      retry: { limit: 10, methods: ['get', 'post'], delay, jitter: true, retryOnTimeout: true },
      // A connection that is lost in the middle of a response is a failed attempt too.
      fetch: async (request, init) => {
        const response = await fetch(request, init);
        return response.body ? new Response(await response.arrayBuffer(), response) : response;
      },
    };
    this.#http = ky.create(defaults).extend(options);
  }

  /** Creates one pet however often it is called with the same key; `isReplayed` says that the pet was there already. */
  async createPet(newPet: v.InferInput<typeof NewPet>, idempotencyKey: string = crypto.randomUUID()) {
    const headers = { 'Idempotency-Key': idempotencyKey };
    const created = await this.#send(Pet, 'pets', { method: 'post', headers, json: newPet });
    return { pet: created.body, isReplayed: created.headers.has('Idempotency-Replayed') };
  }

  /** Reads all pets, or those of a status, a page at a time: the next page is fetched when it is asked for. */
  async *listPets({ status, limit = pageSize.maximum }: { status?: PetStatus; limit?: number } = {}) {
    let query: string | undefined =
      `?${new URLSearchParams({ limit: `${limit}`, ...(status && { status }) })}`;
    while (query !== undefined) {
      const page: { body: Pet[]; headers: Headers } = await this.#send(v.array(Pet), `pets${query}`);
      yield page.body;
      query = /<[^>?]*(\?[^>]*)>; rel="next"/.exec(page.headers.get('Link') ?? '')?.[1];
    }
  }

  /** @deprecated Use `listPets` with a status: the operation is removed on 5 December 2030. */
  async getPet(petId: bigint): Promise<Pet> {
    return (await this.#send(Pet, `pets/${petId}`)).body;
  }

  async #send<const TSchema extends v.GenericSchema>(schema: TSchema, path: string, options?: Options) {
    const response = await this.#http(path, options).catch(rethrow);
    const { success, output, issues } = v.safeParse(schema, await response.json().catch(() => undefined));
    if (!success) throw unexpectedResponse(response.status, issues);
    return { body: output, headers: response.headers };
  }
}

const ErrorResponse = v.object({ code: v.string(), message: v.string() });

const unexpectedResponse = (status: number, cause?: unknown) =>
  new PetStoreError('unexpected_response', 'The response is not that of a pet store.', status, cause);

/** Errors of ky itself hold the request, key and all: they are no cause that a log could print. */
function rethrow(error: unknown): never {
  if (error instanceof NetworkError)
    throw new PetStoreError('unreachable', 'No API responds.', 0, error.cause);
  if (error instanceof TimeoutError) throw new PetStoreError('timeout', 'The API is too slow.');
  if (!(error instanceof HTTPError)) throw error;
  const { success, output } = v.safeParse(ErrorResponse, error.data);
  const { status } = error.response;
  throw success ? new PetStoreError(output.code, output.message, status) : unexpectedResponse(status);
}
