import ky, { HTTPError, type KyInstance } from 'ky';
import * as v from 'valibot';
import { ErrorBody } from '../../shared/contract/error-table.ts';
import { parseJson, stringifyJson } from '../../shared/contract/json.ts';
import { createPet, listPets } from '../../shared/contract/operations.ts';
import { pageSize } from '../../shared/contract/parameters/list-pets-query.ts';
import { type NewPet, Pet, type PetStatus } from '../../shared/contract/pet.ts';

/** What came of a create: a pet, now or at an earlier try, or the refusal of what was sent. */
export type CreateOutcome = 'created' | 'replayed' | { readonly refusal: string };

/** What answers is another service. */
export class UnexpectedResponseError extends Error {
  override readonly name = 'UnexpectedResponseError';
}

/** Statuses that say that what was sent is wrong, and that trying again is in vain. */
const refusals: readonly number[] = [400, 413, 415, 422];

/** A client of the API that waits and tries again where that may help, but not once `signal` is aborted. */
export class CatalogueApi {
  readonly #http: KyInstance;
  readonly #baseUrl: string;
  readonly #signal: AbortSignal | undefined;

  constructor(baseUrl: string, apiKey: string, signal?: AbortSignal) {
    this.#baseUrl = baseUrl.replace(/\/$/, '');
    this.#signal = signal;
    this.#http = ky.create({
      headers: { Authorization: `Bearer ${apiKey}` },
      // A connection that is lost in the middle of an answer is a try that failed too.
      fetch: async (...request) => {
        const response = await fetch(...request);
        return new Response(await response.arrayBuffer(), response);
      },
      // For all tries together.
      timeout: 120_000,
      throwHttpErrors: (status) => !refusals.includes(status),
      retry: {
        limit: 10,
        methods: ['get', 'post'],
        statusCodes: [429, 500, 502, 503, 504],
        afterStatusCodes: [429, 503],
        backoffLimit: 10_000,
        jitter: true,
        shouldRetry: () => this.#unlessInterrupted(),
      },
    });
  }

  /** Throws unless the API accepts the key; at once where there is none. */
  async check(): Promise<void> {
    const response = await this.#http(`${this.#baseUrl}${listPets.path}?limit=1`, {
      retry: { shouldRetry: ({ error }) => error instanceof HTTPError && this.#unlessInterrupted() },
    });
    parseResponse(v.array(Pet), await response.text());
  }

  /** Creates a pet, once however often it is tried under the same key. */
  async create(pet: NewPet, idempotencyKey: string): Promise<CreateOutcome> {
    const response = await this.#http(`${this.#baseUrl}${createPet.path}`, {
      method: createPet.method,
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey },
      body: stringifyJson(pet),
    });
    const text = await response.text();
    if (!response.ok) return { refusal: parseResponse(ErrorBody, text, JSON.parse).message };
    parseResponse(Pet, text);
    return response.headers.has('Idempotency-Replayed') ? 'replayed' : 'created';
  }

  /** Every pet, or every one of a status, a page at a time. */
  async *pages(status?: PetStatus): AsyncGenerator<Pet[]> {
    const query = new URLSearchParams({ limit: `${pageSize.maximum}`, ...(status && { status }) });
    let next: string | undefined = `${this.#baseUrl}${listPets.path}?${query}`;
    while (next !== undefined) {
      const response: Response = await this.#http(next);
      yield parseResponse(v.array(Pet), await response.text());
      next = /<([^>]+)>; rel="next"/.exec(response.headers.get('Link') ?? '')?.[1];
    }
  }

  /** What ky wants to know before it tries again: undefined leaves it to ky. */
  #unlessInterrupted(): false | undefined {
    return this.#signal?.aborted ? false : undefined;
  }
}

function parseResponse<const TSchema extends v.GenericSchema>(
  schema: TSchema,
  text: string,
  read: (text: string) => unknown = parseJson,
): v.InferOutput<TSchema> {
  try {
    return v.parse(schema, read(text));
  } catch (error) {
    throw new UnexpectedResponseError('The answer is not that of a pet store.', { cause: error });
  }
}
