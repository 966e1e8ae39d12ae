import { inspect } from 'node:util';
import type { Options } from 'ky';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PetStoreClient, PetStoreError } from '../../../shared/client/pet-store-client.ts';
import type { Pet } from '../../../shared/contract/schemas/pet.ts';
import {
  loseConnection,
  loseConnectionMidway,
  respond,
  type StubResponse,
  startStubApi,
} from '../../support/catalogue/stub-api.ts';

/** The client of an API that gives these responses, its base address with a slash at the end, and what it was sent. */
async function clientOf(responses: readonly StubResponse[], options?: Options) {
  const stub = await startStubApi(...responses);
  onTestFinished(stub.close);
  const api = new PetStoreClient({ baseUrl: `${stub.baseUrl}/`, apiKey: 'secret' }, options);
  return { api, requests: stub.requests };
}

const newPet = { name: 'Bella', categoryId: 9223372036854775807n, status: 'sold' } as const;
const bella: Pet = { id: 7n, ...newPet };
const pet = '{"id":7,"name":"Bella","categoryId":9223372036854775807,"status":"sold"}';
const created = respond(201, pet);
const error = (status: number, headers = {}) =>
  respond(status, { code: 'gone', message: 'It failed.', status }, headers);

const sentPet = {
  url: '/v1/pets',
  authorization: 'Bearer secret',
  idempotencyKey: 'key',
  body: '{"name":"Bella","categoryId":9223372036854775807,"status":"sold"}',
  at: expect.any(Number),
};

describe('createPet', () => {
  it('sends the pet, its integers exact, and tells one that was there already', async () => {
    const { api, requests } = await clientOf([
      created,
      respond(201, pet, { 'Idempotency-Replayed': 'true' }),
    ]);

    const first = await api.createPet(newPet, 'key');
    const second = await api.createPet(newPet, 'key');

    expect(first).toStrictEqual({ pet: bella, isReplayed: false });
    expect(second).toStrictEqual({ pet: bella, isReplayed: true });
    expect(requests).toStrictEqual([sentPet, sentPet]);
  });

  it('makes a key of its own where none is given', async () => {
    const { api, requests } = await clientOf([created]);

    await api.createPet(newPet);
    await api.createPet(newPet);

    const [first, second] = requests.map(({ idempotencyKey }) => idempotencyKey);
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(second).not.toBe(first);
  });

  it('waits as long as a 503 says, and tries again', async () => {
    const { api, requests } = await clientOf([error(503, { 'Retry-After': '1' }), created]);

    await api.createPet(newPet, 'key');

    const [first = 0, second = 0] = requests.map(({ at }) => at);
    expect(requests).toStrictEqual([sentPet, sentPet]);
    expect(second - first).toBeGreaterThan(990);
  });

  it.each([
    ['a 502', respond(502, '<html>')],
    ['no response, the connection lost', loseConnection],
    ['half of a response, the connection lost', loseConnectionMidway],
  ])('is tried again under the same Idempotency-Key after %s', async (_title, failure) => {
    const { api, requests } = await clientOf([failure, created]);

    await api.createPet(newPet, 'key');

    expect(requests).toStrictEqual([sentPet, sentPet]);
  });
});

describe('listPets', () => {
  it('reads from link to link as pages are asked for, always from the base address', async () => {
    const { api, requests } = await clientOf([
      respond(200, `[${pet},${pet}]`, { Link: '<http://pets.example/v1/pets?cursor=x&limit=2>; rel="next"' }),
      respond(200, `[${pet}]`),
    ]);
    const urls = () => requests.map(({ url }) => url);
    const pages = api.listPets({ limit: 2, status: 'sold' });

    expect(await pages.next()).toStrictEqual({ done: false, value: [bella, bella] });
    expect(urls()).toStrictEqual(['/v1/pets?limit=2&status=sold']);

    expect(await Array.fromAsync(pages)).toStrictEqual([[bella]]);
    expect(urls().slice(1)).toStrictEqual(['/v1/pets?cursor=x&limit=2']);
  });
});

describe('a failed call', () => {
  it('throws what the API says at once where a retry would not help', async () => {
    const { api, requests } = await clientOf([error(413)]);

    await expect(api.createPet(newPet)).rejects.toMatchObject({
      name: 'PetStoreError',
      code: 'gone',
      message: 'It failed.',
      status: 413,
    });
    expect(requests).toHaveLength(1);
  });

  it.each<[code: string, status: number, title: string, response: StubResponse]>([
    ['unreachable', 0, 'nothing responds', loseConnection],
    ['timeout', 0, 'no response comes in time', () => undefined],
    ['unexpected_response', 200, 'the response is no JSON', respond(200, '<html>')],
    ['unexpected_response', 200, 'the response is no pet', respond(200, pet.replace('7', '7.5'))],
    ['unexpected_response', 403, 'the error is none of the API', respond(403, { message: 'Forbidden' })],
    ['gone', 401, 'the API says so', error(401)],
  ])('is %s with status %i where %s, and does not hold the key', async (code, status, _title, response) => {
    const { api } = await clientOf([response], { retry: 0, totalTimeout: 500 });

    const failure = await api.getPet(7n).catch((reason: unknown) => reason);

    expect(failure).toBeInstanceOf(PetStoreError);
    expect(failure).toMatchObject({ code, status });
    expect(inspect(failure, { depth: null, showHidden: true })).not.toContain('secret');
  });

  it('does not tell a key that no header can hold', () => {
    expect(() => new PetStoreClient({ baseUrl: 'http://pets.example/v1', apiKey: 'two\nlines' })).toThrow(
      new TypeError('The API key has characters that no API key has.'),
    );
  });

  it('is the abort where the caller aborts', async () => {
    const { api } = await clientOf([created], { signal: AbortSignal.abort() });

    await expect(api.createPet(newPet)).rejects.toMatchObject({ name: 'AbortError' });
  });
});
