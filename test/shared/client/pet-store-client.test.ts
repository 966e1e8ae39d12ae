import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, expectTypeOf, it, onTestFinished, vi } from 'vitest';
import type {
  ClientEvent,
  ClientOptions,
  ListOptions,
  NewPet,
  Pet,
  PetStatus,
} from '../../../shared/client/pet-store-client.ts';
import { PetStoreClient, PetStoreError, stringifyJson } from '../../../shared/client/pet-store-client.ts';
import {
  exampleNewPet,
  examplePet,
  type listPets,
  type petOperations,
} from '../../../shared/pets/operations.ts';
import {
  loseConnection,
  loseConnectionMidway,
  respond,
  type StubResponse,
  startStubApi,
} from '../../support/client/stub-api.ts';

const valid = { baseUrl: 'http://pets.example/v1', apiKey: 'secret' };

/** Returns a client whose base URL ends in a slash, and the requests that its stub receives. */
async function clientOf(responses: readonly StubResponse[], options?: Partial<ClientOptions>) {
  const { baseUrl, requests } = await startStubApi(...responses);
  return { api: new PetStoreClient({ ...valid, baseUrl: `${baseUrl}/`, ...options }), requests };
}

/** Returns why a list fails, and after how many seconds, without waiting for them. */
async function failureOf(fetch: (request: Request) => Promise<Response>) {
  vi.useFakeTimers();
  const begun = performance.now();
  const failed = new PetStoreClient({ ...valid, fetch })
    .listPets()
    .catch((error: unknown) => ({ error, seconds: (performance.now() - begun) / 1000 }));
  await vi.runAllTimersAsync();
  return failed;
}

/** Responds never: rejects when the request is aborted, as `fetch` does. */
const silence = ({ signal }: Request) =>
  new Promise<Response>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });

const newPet = { ...exampleNewPet, categoryId: 9223372036854775807n, status: 'sold' } as const;
const bella: Pet = { ...examplePet, ...newPet, id: 7n };
const pet = stringifyJson(bella);
const requestId = 'request-1';
const withId = { 'x-amzn-RequestId': requestId };
const created = respond(201, pet, withId);
const last = respond(200, `[${pet}]`);
const replayed = respond(201, pet, { ...withId, 'Idempotency-Replayed': 'true' });
const error = (status: number, headers = {}) =>
  respond(status, { code: 'gone', message: 'It failed.', status }, headers);

const sentPet = {
  url: '/v1/pets',
  authorization: 'Bearer secret',
  userAgent: expect.stringMatching(/^pet-store-client\/source Node\.js\/\d+$/),
  idempotencyKey: 'key',
  headers: expect.objectContaining({ 'content-type': 'application/json' }),
  body: expect.stringContaining('"categoryId":9223372036854775807'),
};

// Without the random part of a wait.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('createPet', () => {
  it('sends integers exactly, and reports a replay', async () => {
    const { api, requests } = await clientOf([created, replayed]);

    expect(await api.createPet(newPet, 'key')).toStrictEqual({ pet: bella, isReplayed: false, requestId });
    expect(await api.createPet(newPet, 'key')).toStrictEqual({ pet: bella, isReplayed: true, requestId });
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

  // isReplayed is undefined if the attempt that failed may have created the pet.
  it.each([
    ['a 503', error(503), replayed, undefined],
    ['a 502', respond(502, '<html>'), created, false],
    ['a 429', error(429), replayed, true],
    ['a lost connection', loseConnection, replayed, undefined],
    ['a response cut off midway', loseConnectionMidway, created, false],
  ])('is retried with the same key after %s', async (_title, failure, success, isReplayed) => {
    const { api, requests } = await clientOf([failure, success]);

    const response = await api.createPet(newPet, 'key');

    expect(response).toStrictEqual({ pet: bella, isReplayed, requestId });
    expect(requests).toStrictEqual([sentPet, sentPet]);
  });

  it.each([
    ['an empty text', ''],
    ['a text that is no header', 'clé'],
    ['256 characters', 'k'.repeat(256)],
    ['an object', { signal: undefined }],
  ])('rejects %s as its key without a request', async (_title, key) => {
    const { api, requests } = await clientOf([created]);

    // @ts-expect-error A caller in JavaScript may pass the options as the second argument.
    const failed = api.createPet(newPet, key);

    const message = 'idempotencyKey must be a string of 1 to 255 visible ASCII characters.';
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

    expect(await Array.fromAsync(await api.listPets())).toStrictEqual([bella, bella]);
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

    const failed = Array.fromAsync(await api.listPets());

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

describe('getPet', () => {
  it('returns the pet', async () => {
    const { api } = await clientOf([respond(200, pet, withId)]);

    expect(await api.getPet(7n)).toStrictEqual({ pet: bella, requestId });
  });

  it.each(['', '0', '7/../8'])('rejects the id "%s" without a request', async (petId) => {
    const { api, requests } = await clientOf([created]);

    // @ts-expect-error An id is a bigint, which a caller in JavaScript may not know.
    await expect(api.getPet(petId)).rejects.toThrow(new TypeError('A pet id must be a positive integer.'));
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
  // The parameters of the operation's query, required where it requires them.
  expectTypeOf<keyof Query>().toExtend<keyof ListOptions>();
  expectTypeOf<ListOptions>().toExtend<Required>();
});

describe('a failed call', () => {
  it("throws the API's error, without a futile retry", async () => {
    const { api, requests } = await clientOf([error(413, withId)]);

    const failed = api.createPet(newPet);

    await expect(failed).rejects.toMatchObject({
      name: 'PetStoreError',
      code: 'gone',
      message: 'It failed.',
      status: 413,
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/v1\/pets$/),
      requestId,
      retryAfter: undefined,
    });
    expect(requests).toHaveLength(1);
  });

  const elsewhere = 'The response is not from a pet store: check the base URL, which ends in /v1.';

  it.each<[code: string, status: number, message: string, response: StubResponse]>([
    ['gone', 500, 'It failed.', error(500)],
    ['unreachable', 0, 'The API is unreachable.', loseConnection],
    ['unexpected_response', 200, elsewhere, respond(200, `[${pet.replace('7', '7.5')}]`)],
    ['unexpected_response', 403, elsewhere, respond(403, { message: 'Forbidden' })],
    [
      'unexpected_response',
      502,
      'A proxy, or what is in front of the API, responded with 502.',
      respond(502, '<html>'),
    ],
  ])('is %s with status %i: "%s"', async (code, status, message, response) => {
    const { api } = await clientOf([response], { retries: 0 });

    const failure = await api.listPets().catch((reason: unknown) => reason);

    expect(failure).toBeInstanceOf(PetStoreError);
    expect(failure).toMatchObject({ code, status, message });
    expect(inspect(failure, { depth: null, showHidden: true })).not.toContain('secret');
  });

  it('does not send the body to where a redirect points', async () => {
    const other = await startStubApi(created);
    const { api } = await clientOf([respond(307, '', { Location: other.baseUrl })]);

    await expect(api.createPet(newPet)).rejects.toMatchObject({ code: 'unexpected_response', status: 307 });
    expect(other.requests).toStrictEqual([]);
  });

  it.each([408, 429, 500, 501, 520])('is retried after a %i', async (status) => {
    const { api, requests } = await clientOf([respond(status, '')], { retries: 1 });

    await expect(api.listPets()).rejects.toMatchObject({ status });
    expect(requests).toHaveLength(2);
  });

  it('is retried as often as the options say', async () => {
    const { api, requests } = await clientOf([respond(502, '')], { retries: 2 });

    // @ts-expect-error Without exactOptionalPropertyTypes, a caller may pass undefined.
    await expect(api.createPet(newPet, 'key', { retries: undefined })).rejects.toMatchObject({ status: 502 });
    expect(requests).toHaveLength(3);
    await expect(api.createPet(newPet, 'key', { retries: 0 })).rejects.toMatchObject({ status: 502 });
    expect(requests).toHaveLength(4);
  });

  it('ends after five lost connections in a row', async () => {
    const { api, requests } = await clientOf([loseConnection, error(429), loseConnection]);

    await expect(api.listPets()).rejects.toMatchObject({ code: 'unreachable' });
    expect(requests).toHaveLength(7);
  });

  it.each<[title: string, response: StubResponse]>([
    ['a response', () => undefined],
    ['the rest of a response', (response) => response.writeHead(200).write('[')],
  ])('ends after its own timeout without %s', async (_title, response) => {
    const { api, requests } = await clientOf([response]);

    await expect(api.listPets({ timeout: 50 })).rejects.toMatchObject({ code: 'timeout', status: 0 });
    // On a busy machine, it may end before it sends any.
    expect(requests.length).toBeLessThanOrEqual(1);
  });

  it.each([
    ['30', 30],
    ['0', undefined],
    ['30, 30', 30],
    ['1.5', 1],
    ['9999999999', 9999999999],
    ['soon', undefined],
    ['Sun, 06 Nov 1994 08:49:37 GMT', undefined],
    ['Fri, 31 Dec 9999 23:59:59 GMT', expect.any(Number)],
  ])('has the seconds of "Retry-After: %s"', async (header, retryAfter) => {
    const { api } = await clientOf([error(429, { 'Retry-After': header })], { retries: 0 });

    await expect(api.listPets()).rejects.toMatchObject({ retryAfter });
  });

  it.each([
    ['at once if Retry-After exceeds the time left', 0, 0, { 'Retry-After': '121' }],
    ['after 40 seconds on average under steady throttling', 0.5, 39.45, { 'Retry-After': '1' }],
    ['not at once after a Retry-After of 0', 0.5, 29.45, { 'Retry-After': '0' }],
  ])('is thrown %s', async (_title, random, seconds, headers) => {
    vi.mocked(Math.random).mockReturnValue(random);

    const failed = await failureOf(async () =>
      Response.json({ code: 'x', message: '' }, { status: 429, headers }),
    );

    expect(failed).toMatchObject({ error: { code: 'x', status: 429 } });
    expect(failed).toMatchObject({ seconds: expect.closeTo(seconds, 1) });
  });

  it('ends after two minutes, with an attempt every 30 seconds, if nothing responds', async () => {
    const fetch = vi.fn<typeof silence>(silence);

    expect(await failureOf(fetch)).toMatchObject({ error: { code: 'timeout' }, seconds: 120 });
    expect(fetch).toHaveBeenCalledTimes(4);
  });

  it('throws the error of the last response when time runs out', async () => {
    const fetch = vi.fn<typeof silence>(silence);
    fetch.mockResolvedValueOnce(Response.json({ code: 'x', message: '' }, { status: 503 }));

    expect(await failureOf(fetch)).toMatchObject({ error: { code: 'x', status: 503 } });
  });

  it('ends within five seconds if nothing listens', async () => {
    vi.mocked(Math.random).mockReturnValue(1);
    const cause = new TypeError('fetch failed');

    const failed = await failureOf(() => Promise.reject(cause));

    expect(failed).toMatchObject({ error: { code: 'unreachable', cause } });
    expect(failed).toMatchObject({ seconds: expect.closeTo(4.5) });
  });

  it.each([
    ['before it is sent', 'request'],
    ['while it waits for a retry', 'retry'],
  ])('throws the reason of a signal that is aborted %s', async (_title, at) => {
    vi.mocked(Math.random).mockReturnValue(1);
    const abort = new AbortController();
    const reason = new Error('The page was closed.');
    const events: string[] = [];
    const onEvent = ({ type }: ClientEvent) => {
      events.push(type);
      if (type === at) abort.abort(reason);
    };
    const { api, requests } = await clientOf([error(503)], { onEvent });

    await expect(api.listPets({ signal: abort.signal })).rejects.toBe(reason);
    expect(requests).toHaveLength(at === 'request' ? 0 : 1);
    expect(events.at(-1)).toBe(at);
  });

  it.each(['client', 'call'])('throws the reason of the signal of the %s', async (of) => {
    const silent = new AbortController().signal;
    const aborted = AbortSignal.abort('The page was closed.');
    const { api, requests } = await clientOf([last], { signal: of === 'client' ? aborted : silent });

    await expect(api.listPets({ signal: of === 'call' ? aborted : silent })).rejects.toBe(aborted.reason);
    expect(requests).toStrictEqual([]);
  });

  it('leaves no timer', async () => {
    const started = vi.spyOn(globalThis, 'setTimeout');
    const cleared = vi.spyOn(globalThis, 'clearTimeout');
    const abort = new AbortController();
    const onEvent = ({ type }: ClientEvent) => type === 'retry' && setImmediate(() => abort.abort());
    const { api } = await clientOf([last, error(503, { 'Retry-After': '30' })], { onEvent });

    await api.listPets();
    await expect(api.listPets({ signal: abort.signal })).rejects.toThrow();

    // Node's fetch has timers of its own, for other times.
    const timers = started.mock.results.filter((_, call) => started.mock.calls[call]?.[1] === 30_000);
    expect(timers).toHaveLength(3);
    const values = timers.map(({ value }) => value);
    expect(cleared.mock.calls.flat()).toEqual(expect.arrayContaining(values));
  });

  it('throws the reason of a signal that is aborted while it waits for a response', async () => {
    const { api } = await clientOf([() => undefined]);

    const failed = api.listPets({ signal: AbortSignal.timeout(50) });

    await expect(failed).rejects.toMatchObject({ name: 'TimeoutError', code: DOMException.TIMEOUT_ERR });
  });
});

describe('onEvent', () => {
  it('gets each request, response and retry of a call, joined by its id', async () => {
    const events: ClientEvent[] = [];
    const onEvent = (event: ClientEvent) => void events.push(event);
    const { api } = await clientOf([error(503, withId), created], { onEvent });

    await api.createPet(newPet);

    const [{ callId, url } = { callId: '', url: '' }] = events;
    const call = { callId, method: 'POST', url };
    const milliseconds = expect.any(Number);
    expect(events).toStrictEqual([
      { type: 'request', ...call, attempt: 1 },
      { type: 'response', ...call, attempt: 1, status: 503, requestId, milliseconds },
      { type: 'retry', ...call, attempt: 1, status: 503, waitMilliseconds: 0 },
      { type: 'request', ...call, attempt: 2 },
      { type: 'response', ...call, attempt: 2, status: 201, requestId, milliseconds },
    ]);
    expect(callId).toMatch(/^[0-9a-f-]{36}$/);
    expect(JSON.stringify(events)).not.toContain('secret');
  });

  it('ends the call with what it throws, later too', async () => {
    const thrown = new Error('The log is full.');
    const onEvent = async ({ type }: ClientEvent) => {
      if (type === 'response') throw thrown;
    };
    const { api, requests } = await clientOf([created], { onEvent });

    await expect(api.createPet(newPet)).rejects.toBe(thrown);
    expect(requests).toHaveLength(1);
  });
});

it('sends the headers of the client, of the call, and the application', async () => {
  const { api, requests } = await clientOf([created], {
    application: 'storefront/2.1',
    headers: { authorization: 'mine', traceparent: 'a', 'X-Client': '1' },
  });

  await api.createPet(newPet, 'key', { headers: { Traceparent: 'b' } });

  expect(requests[0]).toMatchObject({
    authorization: 'Bearer secret',
    userAgent: expect.stringMatching(/^storefront\/2\.1 pet-store-client\/source /),
    headers: { traceparent: 'b', 'x-client': '1' },
  });
});

describe('an impossible option', () => {
  const invalidUrl = 'baseUrl must be an http or https URL ending in /v1, without a password or a query.';
  const invalidKey = 'apiKey must be a text of visible ASCII characters.';
  const invalidTimeout = 'timeout must be an integer of milliseconds from 1.';
  const invalidRetries = 'retries must be an integer from 0.';

  it.each([
    [{ baseUrl: '' }, invalidUrl],
    [{ baseUrl: 'pets.example/v1' }, invalidUrl],
    [{ baseUrl: 'ftp://pets.example/v1' }, invalidUrl],
    [{ baseUrl: 'http://user:hunter2@pets.example/v1' }, invalidUrl],
    [{ baseUrl: 'http://pets.example/v1?stage=1' }, invalidUrl],
    [{ baseUrl: 'http://pets.example/v1?' }, invalidUrl],
    [{ baseUrl: 'http://pets.example' }, invalidUrl],
    [{ baseUrl: 'http://pets.example/v10' }, invalidUrl],
    [{ apiKey: '' }, invalidKey],
    [{ apiKey: 'two\nlines' }, invalidKey],
    [{ apiKey: undefined }, invalidKey],
    [{ timeout: 0 }, invalidTimeout],
    [{ timeout: Number.POSITIVE_INFINITY }, invalidTimeout],
    [{ retries: -1 }, invalidRetries],
    [{ retries: 1.5 }, invalidRetries],
  ])('is rejected by the constructor: %j', (option, message) => {
    // @ts-expect-error A caller in JavaScript may pass undefined.
    expect(() => new PetStoreClient({ ...valid, ...option })).toThrow(new TypeError(message));
  });

  it('is rejected by a call without a request', async () => {
    const { api, requests } = await clientOf([created]);

    await expect(api.listPets({ timeout: 0 })).rejects.toThrow(new TypeError(invalidTimeout));
    await expect(api.createPet(newPet, 'key', { headers: { 'a b': '' } })).rejects.toThrow(TypeError);
    expect(requests).toStrictEqual([]);
  });

  it('is a text where a call takes an object', async () => {
    const { api, requests } = await clientOf([last]);
    const invalidOptions = new TypeError("Options must be an object, such as { status: 'sold' }.");

    // @ts-expect-error A caller in JavaScript may pass the status itself, and would get all pets.
    await expect(api.listPets('sold')).rejects.toThrow(invalidOptions);
    // @ts-expect-error
    await expect(api.createPet(newPet, 'key', 'sold')).rejects.toThrow(invalidOptions);
    expect(requests).toStrictEqual([]);
  });

  it('is a runtime that would round integers', () => {
    const { rawJSON } = JSON as { rawJSON?: unknown };
    Reflect.deleteProperty(JSON, 'rawJSON');
    onTestFinished(() => void Object.assign(JSON, { rawJSON }));

    const message = 'PetStoreClient needs JSON.rawJSON: use Node 22, or another runtime that has it.';
    expect(() => new PetStoreClient(valid)).toThrow(new TypeError(message));
  });
});
