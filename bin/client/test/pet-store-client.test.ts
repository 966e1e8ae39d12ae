import { setImmediate } from 'node:timers/promises';
import { describe, expect, expectTypeOf, it, onTestFinished, vi } from 'vitest';
import type { listPets, petOperations } from '../../../shared/pets/operations.ts';
import {
  loseConnection,
  loseConnectionMidway,
  respond,
  type StubResponse,
} from '../../cli/test/support/stub-api.ts';
import type {
  ListOptions,
  NewPet,
  Pet,
  PetPage,
  PetStatus,
  PetStoreClient,
} from '../package/pet-store-client.ts';
import {
  bella,
  clientOf,
  created,
  error,
  last,
  newPet,
  pet,
  requestId,
  useNoRandomWait,
  withId,
} from './stub-client.ts';

useNoRandomWait();

const replayed = respond(201, pet, { ...withId, 'Idempotency-Replayed': 'true' });

const sentPet = {
  url: '/v1/pets',
  authorization: 'Bearer secret',
  userAgent: expect.stringMatching(/^pet-store-client\/source Node\.js\/\d+$/),
  idempotencyKey: 'key',
  headers: expect.objectContaining({ 'content-type': 'application/json' }),
  body: expect.stringContaining('"categoryId":9223372036854775807'),
};

describe('createPet', () => {
  it('sends integers exactly, and reports a replay', async () => {
    const { api, requests } = await clientOf([created, replayed]);

    expect(await api.createPet(newPet, { idempotencyKey: 'key' })).toMatchObject({
      pet: bella,
      isReplayed: false,
      requestId,
    });
    expect(await api.createPet(newPet, { idempotencyKey: 'key' })).toMatchObject({
      pet: bella,
      isReplayed: true,
      requestId,
    });
    expect(requests).toStrictEqual([sentPet, sentPet]);
  });

  it('generates a key if none is given', async () => {
    const { api, requests } = await clientOf([created]);

    await api.createPet(newPet);
    await api.createPet(newPet);

    const [first, second] = requests.map(({ idempotencyKey }) => idempotencyKey);
    expect(first).toMatch(/^[0-9a-f-]{36}$/);
    expect(second).not.toBe(first);
  });

  it('returns the key that it sent, given or generated', async () => {
    const { api, requests } = await clientOf([created]);

    const { idempotencyKey } = await api.createPet(newPet);

    expect(requests[0]?.idempotencyKey).toBe(idempotencyKey);
    expect(await api.createPet(newPet, { idempotencyKey: 'key' })).toHaveProperty('idempotencyKey', 'key');
  });

  it.each<[title: string, responses: readonly StubResponse[]]>([
    ['a 500', [error(500)]],
    ['a lost connection', [loseConnection]],
    ['a response midway', [loseConnectionMidway]],
    ['a 503 before its 429', [error(503), error(429)]],
    ['no response in time', [() => undefined]],
    ['a proxy instead', [respond(403, '<html>')]],
    ['what is no pet', [respond(201, '{}')]],
  ])('fails with the key that it generated if it got %s', async (_title, responses) => {
    const { api, requests } = await clientOf(responses, { retries: responses.length - 1, timeout: 1000 });

    const failure = await api.createPet(newPet).catch((thrown: unknown) => thrown);

    expect(failure).toMatchObject({ name: 'PetStoreError', idempotencyKey: requests[0]?.idempotencyKey });
    expect(requests[0]?.idempotencyKey).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each([400, 422, 429])('fails without a key if a %i says that there is no pet', async (status) => {
    const { api } = await clientOf([error(status)], { retries: 0 });

    const failed = api.createPet(newPet, { idempotencyKey: 'key' });

    await expect(failed).rejects.toMatchObject({ status, idempotencyKey: undefined });
  });

  it.each([
    ['categoryId', 2 ** 53],
    // JSON.parse has read it from -9223372036854775808.
    ['categoryId', -(2 ** 63)],
    ['categoryId', Number.POSITIVE_INFINITY],
    ['rank', 2 ** 53],
  ])('rejects a number as its %s that may have lost digits: %d', async (name, value) => {
    const { api, requests } = await clientOf([created]);

    const failed = api.createPet({ ...newPet, ...{ [name]: value } });

    const message = `${name} is a number past 2^53, which may have lost digits: pass a bigint.`;
    await expect(failed).rejects.toThrow(new TypeError(message));
    expect(requests).toStrictEqual([]);
  });

  it('sends a number that is exact', async () => {
    const { api, requests } = await clientOf([created]);

    // @ts-expect-error A caller in JavaScript may pass a number.
    await api.createPet({ ...newPet, categoryId: Number.MAX_SAFE_INTEGER });

    expect(requests[0]?.body).toContain('"categoryId":9007199254740991');
  });

  it('has created the pet if it generated the key, whatever was lost', async () => {
    const { api } = await clientOf([loseConnection, replayed]);

    expect(await api.createPet(newPet)).toMatchObject({ pet: bella, isReplayed: false });
  });

  // isReplayed is undefined if the attempt that failed may have created the pet.
  it.each([
    ['a 503', error(503), replayed, undefined],
    ['a 502', respond(502, '<html>'), created, false],
    ['a 429', error(429), replayed, true],
    ['a lost connection', loseConnection, replayed, undefined],
    ['a response cut off midway', loseConnectionMidway, created, false],
  ])('is retried with the same key after %s', async (_title, failure, success, isReplayed) => {
    const { api, requests } = await clientOf([failure, success]);

    const response = await api.createPet(newPet, { idempotencyKey: 'key' });

    expect(response).toMatchObject({ pet: bella, isReplayed, requestId });
    expect(requests).toStrictEqual([sentPet, sentPet]);
  });

  it.each([
    ['an empty text', ''],
    ['a text that is no header', 'clé'],
    ['256 characters', 'k'.repeat(256)],
    ['a number', 1],
  ])('rejects %s as its key without a request', async (_title, idempotencyKey) => {
    const { api, requests } = await clientOf([created]);

    // @ts-expect-error A caller in JavaScript may pass any value.
    const failed = api.createPet(newPet, { idempotencyKey });

    const message =
      'idempotencyKey must be a string of 1 to 255 visible ASCII characters, and if the first is a quote, a string of RFC 9651 that is not empty.';
    await expect(failed).rejects.toThrow(new TypeError(message));
    expect(requests).toStrictEqual([]);
  });
});

describe('listPets', () => {
  const linkTo = (cursor: string) => `<http://pets.example/v1/pets?cursor=${cursor}&limit=2>; rel="next"`;
  const pageWith = (Link: string) => respond(200, `[${pet}]`, { ...withId, Link });
  const urlsOf = (requests: readonly { url?: string | undefined }[]) => requests.map(({ url }) => url);

  it('fetches each page lazily, always from the base address', async () => {
    const { api, requests } = await clientOf([pageWith(linkTo('x')), last]);

    const first = await api.listPets({ limit: 2, status: 'sold' });

    expect(first).toMatchObject({ pets: [bella], nextCursor: 'x', requestId });
    expect(urlsOf(requests)).toStrictEqual(['/v1/pets?limit=2&status=sold']);
    const second = await first.nextPage();
    expect(second).toMatchObject({ pets: [bella], nextCursor: undefined, requestId: undefined });
    expect(urlsOf(requests)).toStrictEqual([
      '/v1/pets?limit=2&status=sold',
      '/v1/pets?limit=2&status=sold&cursor=x',
    ]);
    expect(await second?.nextPage()).toBeUndefined();
  });

  it('goes on with the next page, whose link may be beside that of a deprecated list', async () => {
    const successor = '<http://pets.example/v1/animals>; rel="successor-version"';
    const { api } = await clientOf([pageWith(`${successor}, ${linkTo('x')}`), pageWith(successor)]);

    expect(await Array.fromAsync(api.listPets())).toStrictEqual([bella, bella]);
  });

  it('resumes at a cursor, and reads the next page as often as it is asked to', async () => {
    const { api, requests } = await clientOf([pageWith(linkTo('x')), last]);
    const first = await api.listPets({ cursor: 'w' });

    await first.nextPage();
    await first.nextPage();

    const cursors = urlsOf(requests).map((url = '') => url.replace(/.*cursor=/, ''));
    expect(cursors).toStrictEqual(['w', 'x', 'x']);
  });

  it.each([
    ['x', '</v1/pets?cursor=x>; title="a, <b>; rel=prev \\""; rel="next"; type=a'],
    ['x', '</v1/pets?limit=2&cursor=x>;a;REL=next'],
    ['x', '</v1/pets?cursor=x>; rel="Last Next"'],
    ['x', '</v1/pets?cursor=w>; rel=prev;a=b,</v1/pets?cursor=x>; rel=next'],
    [undefined, '</v1/pets?cursor=w>; rel="prev"'],
    [undefined, '</v1/pets?cursor=w>; rel="next-of-kin"'],
    [undefined, '</v1/pets?cursor=w>; title="; rel=next"; rel=prev; rel=next'],
  ])('reads the cursor %s of the next page from %s', async (nextCursor, link) => {
    const { api } = await clientOf([pageWith(link)]);

    expect(await api.listPets()).toMatchObject({ pets: [bella], nextCursor });
  });

  it.each([
    ['has no relation', '<http://pets.example/v1/pets?cursor=y>; rev="next"'],
    ['has an open quote', '<http://pets.example/v1/pets?cursor=y>; rel="next'],
    ['has no brackets', 'http://pets.example/v1/pets?cursor=y; rel="next"'],
    ['cannot be parsed', '<http://[pets]/v1/pets?cursor=y>; rel="next"'],
    ['has no cursor', '<http://pets.example/v1/pets?limit=2>; rel="next"'],
  ])('fails if the link to the next page %s', async (_title, link) => {
    const { api, requests } = await clientOf([pageWith(link)]);

    const failed = api.listPets({ cursor: 'x', limit: 2 });

    const failure = { name: 'PetStoreError', code: 'unexpected_response', status: 200, requestId };
    await expect(failed).rejects.toMatchObject(failure);
    expect(requests).toHaveLength(1);
  });

  it('fails when the links lead back to an earlier page', async () => {
    const { api, requests } = await clientOf(['a', 'b', 'a', 'b'].map((cursor) => pageWith(linkTo(cursor))));

    const failed = Array.fromAsync(api.listPets());

    await expect(failed).rejects.toMatchObject({ code: 'unexpected_response', status: 200 });
    expect(requests).toHaveLength(3);
  });

  it('sends an empty status and cursor, which the API rejects', async () => {
    const { api, requests } = await clientOf([last]);

    // @ts-expect-error A caller in JavaScript may pass any text.
    await api.listPets({ status: '', cursor: '' });

    expect(urlsOf(requests)).toStrictEqual(['/v1/pets?limit=100&status=&cursor=']);
  });

  it('returns a pet whose status it does not know', async () => {
    const { api } = await clientOf([respond(200, `[${pet.replace('sold', 'unknown')}]`)]);

    expect((await api.listPets()).pets).toStrictEqual([{ ...bella, status: 'unknown' }]);
    expectTypeOf<'unknown'>().toExtend<Pet['status']>();
    expectTypeOf<'unknown'>().not.toExtend<PetStatus>();
  });
});

describe('the list before it is awaited', () => {
  const next = respond(200, `[${pet}]`, { Link: '</v1/pets?cursor=x>; rel="next"' });

  it('sends one request for a page as well as a loop', async () => {
    const { api, requests } = await clientOf([next, last]);

    const list = api.listPets();
    const page = await list;
    const pets = await Array.fromAsync(list);

    expect(page.pets).toStrictEqual([bella]);
    expect(pets).toStrictEqual([bella, bella]);
    expect(requests).toHaveLength(2);
  });

  it('sends nothing until it is used', async () => {
    const fetch = vi.fn(async () => new Response(`[${pet}]`));
    const { api } = await clientOf([], { fetch });
    const list = api.listPets();

    await setImmediate();

    expect(fetch).not.toHaveBeenCalled();
    expect(await list.then(({ pets }) => pets.length)).toBe(1);
    expect(fetch).toHaveBeenCalledOnce();
  });

  it('rejects each use of it, which leaves no rejection unhandled', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    onTestFinished(() => void process.off('unhandledRejection', unhandled));
    const { api, requests } = await clientOf([error(400)]);
    const list = api.listPets();
    const settled = vi.fn();

    await expect(Array.fromAsync(list)).rejects.toMatchObject({ code: 'gone' });
    await expect(list).rejects.toMatchObject({ code: 'gone' });
    expect(await list.finally(settled).catch(({ status }) => status)).toBe(400);
    // @ts-expect-error A caller in JavaScript may pass the status itself.
    api.listPets('sold');
    await setImmediate();

    expect(settled).toHaveBeenCalledOnce();
    expect(requests).toHaveLength(1);
    expect(unhandled).not.toHaveBeenCalled();
  });

  it('is a promise of a page', () => {
    expectTypeOf<ReturnType<PetStoreClient['listPets']>>().toExtend<Promise<PetPage>>();
    expectTypeOf<ReturnType<PetStoreClient['listPets']>>().toExtend<AsyncIterable<Pet>>();
  });
});

describe('getPet', () => {
  it('returns the pet', async () => {
    const { api } = await clientOf([respond(200, pet, withId)]);

    const { headers, ...found } = await api.getPet(7n);

    expect(found).toStrictEqual({ pet: bella, requestId });
    expect(headers.get('X-Amzn-RequestId')).toBe(requestId);
  });

  it.each(['', '0', '7/../8'])('rejects the id "%s" without a request', async (petId) => {
    const { api, requests } = await clientOf([created]);

    // @ts-expect-error An id is a bigint, which a caller in JavaScript may not know.
    await expect(api.getPet(petId)).rejects.toThrow(new TypeError('A pet id must be a positive integer.'));
    expect(requests).toStrictEqual([]);
  });

  it('rejects a number that may have lost digits without a request', async () => {
    const { api, requests } = await clientOf([created]);

    // @ts-expect-error An id is a bigint, which a caller in JavaScript may not know.
    const failed = api.getPet(2 ** 53);

    const message = 'petId is a number past 2^53, which may have lost digits: pass a bigint.';
    await expect(failed).rejects.toThrow(new TypeError(message));
    expect(requests).toStrictEqual([]);
  });
});

it('the types say what can be sent', () => {
  expectTypeOf<keyof PetStoreClient>().toExtend<keyof typeof petOperations>();
  type Query = (typeof listPets)['parameters']['query'];
  type Required = {
    [Name in keyof Query as Query[Name] extends { isRequired: true } ? Name : never]: unknown;
  };

  expectTypeOf<{ name: string; categoryId: bigint }>().toExtend<NewPet>();
  expectTypeOf<{ name: string; categoryId: number }>().not.toExtend<NewPet>();
  expectTypeOf<{ name: string; categoryId: bigint; status: 'lost' }>().not.toExtend<NewPet>();
  expectTypeOf<Pet>().toEqualTypeOf<Readonly<Pet>>();
  // The parameters of the operation's query, required where it requires them.
  expectTypeOf<keyof Query>().toExtend<keyof ListOptions>();
  expectTypeOf<ListOptions>().toExtend<Required>();
});
