import ky, { HTTPError, type KyInstance, NetworkError, type Options, TimeoutError } from 'ky';
import * as v from 'valibot';
import type { ErrorCode } from '../contract/errors/error-table.ts';
import { parseJson, stringifyJson } from '../contract/json.ts';
import { pageSize } from '../contract/schemas/list-pets-query.ts';
import { type NewPet, Pet, type PetStatus } from '../contract/schemas/pet.ts';

type FailureCode = 'unreachable' | 'timeout' | 'unexpected_response';

/** The code of an API error, or of another failure. Later API versions may add codes. */
export type PetStoreErrorCode = ErrorCode | FailureCode | (string & Record<never, never>);

/** A failed call, with the code, message and status of the API's error. */
export class PetStoreError extends Error {
  override readonly name = 'PetStoreError';
  /** The API's code, else `unreachable`, `timeout` or `unexpected_response`. */
  readonly code: PetStoreErrorCode;
  /** The HTTP status, or 0 without a response. */
  readonly status: number;
  /** The address that was called. */
  readonly url: string;
  /** The `x-amzn-RequestId` of the response, to quote to the operator. */
  readonly requestId: string | undefined;

  constructor(
    code: PetStoreErrorCode,
    message: string,
    { url, response, cause }: { url: string; response?: Response; cause?: unknown },
  ) {
    super(message, { cause });
    this.code = code;
    this.status = response?.status ?? 0;
    this.url = url;
    this.requestId = response?.headers.get('x-amzn-RequestId') ?? undefined;
  }
}

/** Options of a single call. */
export interface CallOptions {
  /** Aborts the call and its retries. */
  readonly signal?: AbortSignal;
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
 * for await (const page of api.listPets({ status: 'available' })) console.log(page);
 * ```
 */
export class PetStoreClient {
  readonly #http: KyInstance;
  readonly #baseUrl: string;

  /** Accepts ky's options, such as `retry` and `totalTimeout` (for a call with retries, in ms). */
  constructor(
    { baseUrl, apiKey }: { readonly baseUrl: string; readonly apiKey: string },
    { fetch = globalThis.fetch, ...options }: Options = {},
  ) {
    if (/[^!-~]/.test(apiKey)) throw new TypeError('The API key contains invalid characters.');
    this.#baseUrl = baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`;
    const delay = (attempt: number) => Math.min(10_000, 300 * 2 ** (attempt - 1));
    const defaults: Options = {
      headers: { Authorization: `Bearer ${apiKey}` },
      parseJson,
      stringifyJson,
      timeout: 30_000,
      totalTimeout: 120_000,
      retry: { limit: 10, methods: ['get', 'post'], delay, jitter: true, retryOnTimeout: true, shouldRetry },
      // Reads the whole response, so that an attempt whose connection is lost midway is retried as well.
      fetch: async (request, init) => {
        const response = await fetch(request, init);
        return response.body ? new Response(await response.arrayBuffer(), response) : response;
      },
    };
    this.#http = ky.create(defaults).extend(options);
  }

  /** Creates one pet per key, however often it is called. `isReplayed`: the pet already existed. */
  async createPet(
    newPet: v.InferInput<typeof NewPet>,
    idempotencyKey: string = crypto.randomUUID(),
    options: CallOptions = {},
  ) {
    const headers = { 'Idempotency-Key': idempotencyKey };
    const created = await this.#send(Pet, 'pets', { ...options, method: 'post', headers, json: newPet });
    return { pet: created.body, isReplayed: created.headers.has('Idempotency-Replayed') };
  }

  /** Reads all pets, or those with one status, page by page. Pages are fetched lazily. */
  async *listPets({
    status,
    limit = pageSize.maximum,
    ...options
  }: CallOptions & { readonly status?: PetStatus; readonly limit?: number } = {}) {
    let query: string | undefined =
      `?${new URLSearchParams({ limit: `${limit}`, ...(status && { status }) })}`;
    while (query !== undefined) {
      const page: { body: Pet[]; headers: Headers } = await this.#send(v.array(Pet), `pets${query}`, options);
      yield page.body;
      query = nextQuery(page.headers.get('Link') ?? '');
    }
  }

  /**
   * Reads a pet.
   *
   * @throws {TypeError} if the id is not a positive integer: with an empty id, the API would return the list
   * @deprecated Use `listPets` with a status: the operation will be removed on 5 December 2030.
   */
  async getPet(petId: bigint, options: CallOptions = {}): Promise<Pet> {
    if (!/^[1-9][0-9]*$/.test(`${petId}`)) throw new TypeError('A pet id must be a positive integer.');
    return (await this.#send(Pet, `pets/${petId}`, options)).body;
  }

  async #send<const TSchema extends v.GenericSchema>(schema: TSchema, path: string, options: Options) {
    const url = `${this.#baseUrl}${path}`;
    const response = await this.#http(url, options).catch((error: unknown) => {
      throw toPetStoreError(error, url);
    });
    const { success, output, issues } = v.safeParse(schema, await response.json().catch(() => undefined));
    if (!success) throw unexpectedResponse(url, response, issues);
    return { body: output, headers: response.headers };
  }
}

/** Stops retrying a failed connection after about five seconds: if nothing listens, retrying is futile. */
const shouldRetry = ({ error, retryCount }: { readonly error: Error; readonly retryCount: number }) =>
  error instanceof NetworkError && retryCount > 4 ? false : undefined;

/** Returns the query of the next page in a Link header. */
function nextQuery(link: string): string | undefined {
  const next = link.split(', ').find((value) => value.endsWith('>; rel="next"'));
  return next && /^<[^<>?]*(\?[^<>]*)>/.exec(next)?.[1];
}

const ErrorResponse = v.object({ code: v.string(), message: v.string() });

const unexpectedResponse = (url: string, response: Response, cause?: unknown) =>
  new PetStoreError('unexpected_response', 'The response is not from a pet store.', { url, response, cause });

/** Converts ky's errors. They contain the request, including the key, so never log them as a cause. */
function toPetStoreError(error: unknown, url: string): unknown {
  if (error instanceof NetworkError)
    return new PetStoreError('unreachable', 'The API is unreachable.', { url, cause: error.cause });
  if (error instanceof TimeoutError)
    return new PetStoreError('timeout', 'The API did not respond in time.', { url });
  if (!(error instanceof HTTPError)) return error;
  const { response, data } = error;
  const { success, output } = v.safeParse(ErrorResponse, data);
  if (!success) return unexpectedResponse(url, response);
  return new PetStoreError(output.code, output.message, { url, response });
}
