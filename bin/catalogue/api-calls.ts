import * as v from 'valibot';
import { pageSize, queryOf } from '../../shared/paging/page-query.ts';
import { type NewPet, Pet, type PetStatus } from '../../shared/pets/pet.ts';
import type { HttpClient } from '../cli/calls/http-client.ts';
import { nextCursorOf } from '../cli/calls/next-cursor.ts';

/**
 * Creates a pet, unless an earlier call with the same key has. After a lost response, nobody knows which call did:
 * that counts as this one.
 *
 * @throws {PetStoreError} if the API rejects the pet, or the last attempt fails
 */
export async function createOnce(
  http: HttpClient,
  newPet: v.InferInput<typeof NewPet>,
  idempotencyKey: string,
): Promise<'created' | 'replayed'> {
  const headers = { 'Idempotency-Key': idempotencyKey };
  const request = { operation: 'createPet', method: 'POST', path: 'pets', headers, json: newPet } as const;
  const { isUncertain, response } = await http.send(Pet, request, {}, {});
  return response.headers.has('Idempotency-Replayed') && !isUncertain ? 'replayed' : 'created';
}

/**
 * Yields the pages of the catalogue, each once it is asked for.
 *
 * @throws {PetStoreError} if a page cannot be read
 */
export async function* readPages(http: HttpClient, status?: PetStatus): AsyncGenerator<readonly Pet[]> {
  const visited: (string | undefined)[] = [];
  let cursor: string | undefined;
  do {
    visited.push(cursor);
    const query = queryOf({ limit: pageSize.maximum, status, cursor });
    const request = { operation: 'listPets', method: 'GET', path: `pets?${query}` } as const;
    const { body, response } = await http.send(v.array(Pet), request, {}, {});
    yield body;
    cursor = nextCursorOf(response, http.baseUrl, visited);
  } while (cursor !== undefined);
}
