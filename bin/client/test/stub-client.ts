import { afterEach, beforeEach, vi } from 'vitest';
import { exampleNewPet, examplePet } from '../../../shared/pets/operations.ts';
import { respond, type StubResponse, startStubApi } from '../../cli/test/support/stub-api.ts';
import { type ClientOptions, type Pet, PetStoreClient, stringifyJson } from '../package/pet-store-client.ts';

export const valid = { baseUrl: 'http://pets.example/v1', apiKey: 'secret' };

/** Returns a client whose base URL ends in a slash, and the requests that its stub receives. */
export async function clientOf(responses: readonly StubResponse[], options?: Partial<ClientOptions>) {
  const { baseUrl, requests } = await startStubApi(...responses);
  return { api: new PetStoreClient({ ...valid, baseUrl: `${baseUrl}/`, ...options }), requests };
}

/** Lets retries follow without the random part of their wait. */
export function useNoRandomWait(): void {
  beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });
}

export const newPet = { ...exampleNewPet, categoryId: 9223372036854775807n, status: 'sold' } as const;
export const bella: Pet = { ...examplePet, ...newPet, id: 7n };
export const pet = stringifyJson(bella);
export const requestId = 'request-1';
export const withId = { 'x-amzn-RequestId': requestId };
export const created = respond(201, pet, withId);
export const last = respond(200, `[${pet}]`);
export const error = (status: number, headers = {}) =>
  respond(status, { code: 'gone', message: 'It failed.', status }, headers);
