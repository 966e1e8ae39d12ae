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
import {
  PetStoreClient,
  PetStoreError,
  parseJson,
  stringifyJson,
} from '../../../shared/client/pet-store-client.ts';
import { pageSize } from '../../../shared/paging/page-query.ts';
import { exampleNewPet, examplePet, type listPets } from '../../../shared/pets/operations.ts';
import {
  loseConnection,
  loseConnectionMidway,
  respond,
  type StubResponse,
  startStubApi,
} from '../../support/client/stub-api.ts';

/** Returns a client whose base URL ends in a slash, and the requests that its stub receives. */
async function clientOf(responses: readonly StubResponse[], options?: Partial<ClientOptions>) {
  const { baseUrl, requests } = await startStubApi(...responses);
  const api = new PetStoreClient({ baseUrl: `${baseUrl}/`, apiKey: 'secret', ...options });
  return { api, requests };
}

const newPet = { ...exampleNewPet, categoryId: 9223372036854775807n, status: 'sold' } as const;
const bella: Pet = { ...examplePet, ...newPet, id: 7n };
const pet = stringifyJson(bella);
const requestId = 'request-1';
const withId = { 'x-amzn-RequestId': requestId };
const created = respond(201, pet, withId);
const replayed = respond(201, pet, { ...withId, 'Idempotency-Replayed': 'true' });
const error = (status: number, headers = {}) =>
  respond(status, { code: 'gone', message: 'It failed.', status }, headers);

const sentPet = {
  url: '/v1/pets',
  authorization: 'Bearer secret',
  userAgent: expect.stringMatching(/^pet-store-client\/source Node\.js\/\d+$/),
  idempotencyKey: 'key',
  headers: expect.any(Object),
  body: expect.stringContaining('"categoryId":9223372036854775807'),
  at: expect.any(Number),
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
});

it.each([
  ['an empty text', ''],
  ['a text that is no header', 'clé'],
  ['a line break', 'a\nb'],
  ['256 characters', 'k'.repeat(256)],
  ['an object', { signal: undefined }],
])('createPet rejects %s as its key without a request', async (_title, key) => {
  const { api, requests } = await clientOf([created]);

  // @ts-expect-error A caller in JavaScript may pass the options as the second argument.
  const failed = api.createPet(newPet, key);

  const message = 'idempotencyKey must be a string of 1 to 255 visible ASCII characters.';
  await expect(failed).rejects.toThrow(new TypeError(message));
  expect(requests).toStrictEqual([]);
});

describe('listPets', () => {
  const next = { ...withId, Link: '<http://pets.example/v1/pets?cursor=x&limit=2>; rel="next"' };
  const pages = [respond(200, `[${pet},${pet}]`, next), respond(200, `[${pet}]`)];
  const urlsOf = (requests: readonly { url?: string | undefined }[]) => requests.map(({ url }) => url);

  it('fetches each page lazily, always from the base address', async () => {
    const { api, requests } = await clientOf(pages);

    const first = await api.listPets({ limit: 2, status: 'sold' });

    expect({ ...first }).toStrictEqual({ pets: [bella, bella], nextCursor: 'x', requestId });
    expect(urlsOf(requests)).toStrictEqual(['/v1/pets?limit=2&status=sold']);
    const second = await first.nextPage();
    expect({ ...second }).toStrictEqual({ pets: [bella], nextCursor: undefined, requestId: undefined });
    expect(urlsOf(requests).slice(1)).toStrictEqual(['/v1/pets?cursor=x&limit=2']);
    expect(await second?.nextPage()).toBeUndefined();
  });

  it('follows the link to the next page beside others, as a deprecated list has', async () => {
    const successor = '<http://pets.example/v1/animals>; rel="successor-version"';
    const first = respond(200, `[${pet}]`, { ...withId, Link: `${next.Link}, ${successor}` });
    const { api } = await clientOf([first, respond(200, `[${pet}]`, { ...withId, Link: successor })]);

    expect(await Array.fromAsync(await api.listPets())).toStrictEqual([bella, bella]);
  });

  it('returns a page whose iteration goes on with the pages after it', async () => {
    const { api } = await clientOf(pages);

    const page = await api.listPets({ status: 'sold' });

    expect(await Array.fromAsync(page)).toStrictEqual([bella, bella, bella]);
  });

  it('resumes at a cursor', async () => {
    const { api, requests } = await clientOf([respond(200, '[]')]);

    await api.listPets({ status: 'sold', cursor: 'x' });

    expect(urlsOf(requests)).toStrictEqual([`/v1/pets?limit=${pageSize.maximum}&status=sold&cursor=x`]);
  });

  it.each([
    ['cannot be parsed', '<http://[pets]/v1/pets?cursor=y>; rel="next"'],
    ['has no cursor', '<http://pets.example/v1/pets?limit=2>; rel="next"'],
    ['leads back to the same page', '<http://pets.example/v1/pets?limit=2&cursor=x>; rel="next"'],
  ])('fails if the link to the next page %s', async (_title, Link) => {
    const { api, requests } = await clientOf([respond(200, `[${pet}]`, { ...withId, Link })]);

    const failed = api.listPets({ cursor: 'x', limit: 2 });

    const failure = { name: 'PetStoreError', code: 'unexpected_response', status: 200, requestId };
    await expect(failed).rejects.toMatchObject(failure);
    expect(requests).toHaveLength(1);
  });

  it('fails when the links lead back to an earlier page', async () => {
    const linkTo = (cursor: string) => ({
      Link: `<http://pets.example/v1/pets?cursor=${cursor}>; rel="next"`,
    });
    const responses = ['a', 'b', 'a', 'b'].map((cursor) => respond(200, `[${pet}]`, linkTo(cursor)));
    const { api, requests } = await clientOf(responses);

    const failed = Array.fromAsync(await api.listPets());

    await expect(failed).rejects.toMatchObject({ code: 'unexpected_response', status: 200 });
    expect(requests).toHaveLength(3);
  });

  it('reads the next page again when it is asked to', async () => {
    const { api } = await clientOf([pages[0], pages[1], pages[1]].filter((page) => page !== undefined));
    const first = await api.listPets();

    const twice = [await first.nextPage(), await first.nextPage()];

    expect(twice.map((page) => page?.pets)).toStrictEqual([[bella], [bella]]);
  });

  it('returns a pet whose status it does not know', async () => {
    const { api } = await clientOf([respond(200, `[${pet.replace('sold', 'unknown')}]`)]);

    const page = await api.listPets();

    expect(page.pets).toStrictEqual([{ ...bella, status: 'unknown' }]);
    expectTypeOf<'unknown'>().toExtend<Pet['status']>();
    expectTypeOf<'unknown'>().not.toExtend<PetStatus>();
    expectTypeOf<'available' | 'pending' | 'sold'>().toExtend<PetStatus>();
  });
});

it('stringifyJson turns a pet into what the API sent', async () => {
  const { api } = await clientOf([created]);

  const response = await api.createPet(newPet);

  expect(stringifyJson(response.pet)).toBe(pet);
  expect(() => JSON.stringify(response.pet)).toThrow(TypeError);
  expect(parseJson(pet)).toStrictEqual(bella);
});

it('getPet returns the pet', async () => {
  const { api } = await clientOf([respond(200, pet, withId)]);

  expect(await api.getPet(7n)).toStrictEqual({ pet: bella, requestId });
});

it('the types say what can be sent', () => {
  expectTypeOf<{ name: string; categoryId: bigint }>().toExtend<NewPet>();
  expectTypeOf<{ name: string; categoryId: number }>().not.toExtend<NewPet>();
  expectTypeOf<{ name: string; categoryId: bigint; status: 'lost' }>().not.toExtend<NewPet>();
  expectTypeOf<Pet['id']>().toEqualTypeOf<bigint>();
});

it.each(['', '0', '7/../8'])('getPet rejects the id "%s" without a request', async (petId) => {
  const { api, requests } = await clientOf([created]);

  // @ts-expect-error An id is a bigint, which a caller in JavaScript may not know.
  await expect(api.getPet(petId)).rejects.toThrow(new TypeError('A pet id must be a positive integer.'));
  expect(requests).toStrictEqual([]);
});

describe('a failed call', () => {
  it("throws the API's error, without a futile retry", async () => {
    const { api, requests } = await clientOf([error(413, withId)]);

    const url = expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/v1\/pets$/);
    const failure = {
      name: 'PetStoreError',
      code: 'gone',
      message: 'It failed.',
      status: 413,
      url,
      requestId,
    };
    await expect(api.createPet(newPet)).rejects.toMatchObject(failure);
    expect(requests).toHaveLength(1);
  });

  it.each<[code: string, status: number, title: string, response: StubResponse]>([
    ['unreachable', 0, 'nothing responds', loseConnection],
    [
      'unexpected_response',
      200,
      'the response is no page of pets',
      respond(200, `[${pet.replace('7', '7.5')}]`),
    ],
    ['unexpected_response', 403, 'the error is not from the API', respond(403, { message: 'Forbidden' })],
    ['gone', 500, 'the API says so', error(500)],
  ])('is %s with status %i when %s', async (code, status, _title, response) => {
    const { api } = await clientOf([response], { retries: 0 });

    const failure = await api.listPets().catch((reason: unknown) => reason);

    expect(failure).toBeInstanceOf(PetStoreError);
    expect(failure).toMatchObject({ code, status });
    expect(inspect(failure, { depth: null, showHidden: true })).not.toContain('secret');
  });

  it('ends after its own timeout, with its retries', async () => {
    const { api } = await clientOf([() => undefined], { attemptTimeout: 50 });

    await expect(api.listPets({ timeout: 200 })).rejects.toMatchObject({ code: 'timeout', status: 0 });
  });

  it("throws the response's error at once if Retry-After exceeds the time left", async () => {
    const { api, requests } = await clientOf([error(429, { ...withId, 'Retry-After': '60' })]);

    const failure = api.createPet(newPet, 'key', { timeout: 50_000 });

    const expected = { code: 'gone', status: 429, requestId, retryAfter: 60 };
    await expect(failure).rejects.toMatchObject(expected);
    expect(requests).toHaveLength(1);
  });

  it('throws it at once if Retry-After is a date after that time, too', async () => {
    const date = new Date(Date.now() + 60_000).toUTCString();
    const { api, requests } = await clientOf([error(503, { 'Retry-After': date })]);

    const failure = await api.listPets({ timeout: 50_000 }).catch((reason: unknown) => reason);

    expect(failure).toMatchObject({ code: 'gone', status: 503 });
    expect(Object(failure).retryAfter).toBeOneOf([59, 60]);
    expect(requests).toHaveLength(1);
  });

  it('has no retryAfter if the response has none', async () => {
    const { api } = await clientOf([error(404)]);

    await expect(api.listPets()).rejects.toHaveProperty('retryAfter', undefined);
  });

  it('rejects a timeout that is not positive', async () => {
    const { api, requests } = await clientOf([created]);

    const message = 'timeout must be a positive number of milliseconds, at most 2147483647.';
    await expect(api.createPet(newPet, 'key', { timeout: 0 })).rejects.toThrow(new TypeError(message));
    expect(requests).toStrictEqual([]);
  });

  it.each([
    [502, 'A proxy responded with 502 in place of the API.'],
    [431, 'The request was rejected with 431 on its way to the API.'],
    [403, 'The response is not from a pet store: check the base URL, which ends in /v1.'],
  ])('says who may have responded with a %i in HTML', async (status, message) => {
    const { api } = await clientOf([respond(status, '<html>')], { retries: 0 });

    await expect(api.listPets()).rejects.toMatchObject({ code: 'unexpected_response', status, message });
  });

  // The messages of Bun and Deno, which ky does not know.
  it.each(['Unable to connect. Is the computer able to access the url?', 'client error (Connect)'])(
    'is retried after a lost connection that the runtime reports as "%s"',
    async (message) => {
      const fetch = vi.fn<typeof globalThis.fetch>(() => Promise.resolve(new Response(`[${pet}]`)));
      const cause = new Error(message);
      fetch.mockRejectedValueOnce(cause);
      const options = { baseUrl: 'http://pets.example/v1', apiKey: 'secret' };

      expect(await new PetStoreClient({ ...options, fetch }).listPets()).toMatchObject({ pets: [bella] });
      fetch.mockRejectedValueOnce(cause);
      const failed = new PetStoreClient({ ...options, fetch, retries: 0 }).listPets();
      await expect(failed).rejects.toMatchObject({ name: 'PetStoreError', code: 'unreachable', cause });
    },
  );

  it('is retried after a lost connection that follows five 429s', async () => {
    const rejected = error(429);
    const failures = [rejected, rejected, rejected, rejected, rejected, loseConnection];
    const { api, requests } = await clientOf([...failures, created]);

    expect(await api.createPet(newPet)).toMatchObject({ pet: bella });
    expect(requests).toHaveLength(7);
  });

  it('ends after five lost connections in a row', async () => {
    const { api, requests } = await clientOf([error(429), loseConnection]);

    await expect(api.listPets()).rejects.toMatchObject({ code: 'unreachable' });
    expect(requests).toHaveLength(6);
  });

  it('throws the error of the last response when time runs out', async () => {
    vi.useFakeTimers();
    const body = '{"code":"service_unavailable","message":"Later."}';
    const fetch = vi.fn<() => Promise<Response>>(() => new Promise(() => undefined));
    fetch.mockResolvedValueOnce(new Response(body, { status: 503 }));
    const api = new PetStoreClient({ baseUrl: 'http://pets.example/v1', apiKey: 'secret', fetch });

    const failed = expect(api.listPets()).rejects.toMatchObject({ code: 'service_unavailable', status: 503 });
    await vi.advanceTimersByTimeAsync(121_000);
    await failed;
  });

  it('is retried as often as the number says', async () => {
    const { api, requests } = await clientOf([respond(502, '')], { retries: 2 });

    await expect(api.createPet(newPet)).rejects.toMatchObject({ status: 502 });
    expect(requests).toHaveLength(3);
    await expect(api.createPet(newPet, 'key', { retries: 0 })).rejects.toMatchObject({ status: 502 });
    expect(requests).toHaveLength(4);
  });

  it.each([['0'], ['Sun, 06 Nov 1994 08:49:37 GMT']])(
    'is not repeated at once after "Retry-After: %s"',
    async (retryAfter) => {
      vi.mocked(Math.random).mockReturnValue(1);
      const { api, requests } = await clientOf([error(503, { 'Retry-After': retryAfter }), created]);

      await api.createPet(newPet);

      const [first = 0, second = 0] = requests.map(({ at }) => at);
      expect(second - first).toBeGreaterThan(290);
    },
  );

  it('waits a random time beyond Retry-After', async () => {
    vi.mocked(Math.random).mockReturnValue(1);
    const { api, requests } = await clientOf([error(429, { 'Retry-After': '1' }), created]);

    await api.createPet(newPet);

    const [first = 0, second = 0] = requests.map(({ at }) => at);
    expect(second - first).toBeGreaterThan(1290);
  });

  it('does not send the body to where a redirect points', async () => {
    const other = await startStubApi(created);
    const { api } = await clientOf([respond(307, '', { Location: other.baseUrl })]);

    await expect(api.createPet(newPet)).rejects.toMatchObject({ code: 'unexpected_response', status: 307 });
    expect(other.requests).toStrictEqual([]);
  });

  it('fails within five seconds if nothing listens', async () => {
    vi.useFakeTimers();
    const fetch = () => Promise.reject(new TypeError('fetch failed'));
    const api = new PetStoreClient({ baseUrl: 'http://pets.example/v1', apiKey: 'secret', fetch });

    const failed = expect(api.listPets()).rejects.toMatchObject({ code: 'unreachable' });
    await vi.advanceTimersByTimeAsync(5000);
    await failed;
  });

  it('throws an AbortError when it is aborted', async () => {
    const { api } = await clientOf([() => undefined]);
    const abort = new AbortController();

    const called = api.listPets({ signal: abort.signal });
    abort.abort();

    await expect(called).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('throws the reason of the signal that ends its wait for a retry', async () => {
    vi.mocked(Math.random).mockReturnValue(1);
    const abort = new AbortController();
    const reason = new Error('The page was closed.');
    const onEvent = ({ type }: ClientEvent) => {
      if (type === 'response') setTimeout(() => abort.abort(reason), 10);
    };
    const { api } = await clientOf([error(503)], { onEvent, signal: abort.signal });

    await expect(api.listPets()).rejects.toBe(reason);
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

  it('ends the call with what it throws', async () => {
    const thrown = new Error('The log is full.');
    const onEvent = () => {
      throw thrown;
    };
    const { api, requests } = await clientOf([created], { onEvent });

    await expect(api.createPet(newPet)).rejects.toBe(thrown);
    expect(requests).toStrictEqual([]);
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

describe('the constructor', () => {
  const valid = { baseUrl: 'http://pets.example/v1', apiKey: 'secret' };
  const invalidUrl = 'baseUrl must be an absolute http or https URL without a password or a query.';
  const positive = 'must be a positive number of milliseconds, at most 2147483647.';

  it.each([
    ['', invalidUrl],
    ['/v1', invalidUrl],
    ['pets.example/v1', invalidUrl],
    ['ftp://pets.example/v1', invalidUrl],
    ['http://user:hunter2@pets.example/v1', invalidUrl],
    ['http://pets.example/v1?stage=1', invalidUrl],
  ])('rejects the baseUrl "%s"', (baseUrl, message) => {
    expect(() => new PetStoreClient({ ...valid, baseUrl })).toThrow(new TypeError(message));
  });

  it.each([
    [undefined, 'apiKey must not be empty.'],
    ['', 'apiKey must not be empty.'],
    ['two\nlines', 'apiKey must contain only visible ASCII characters.'],
  ])('rejects the apiKey %j without quoting it', (apiKey, message) => {
    // @ts-expect-error A caller in JavaScript may pass undefined.
    expect(() => new PetStoreClient({ ...valid, apiKey })).toThrow(new TypeError(message));
  });

  it.each([-1, 1.5, Number.NaN])('rejects %d retries', (retries) => {
    const error = new TypeError('retries must be an integer from 0.');
    expect(() => new PetStoreClient({ ...valid, retries })).toThrow(error);
  });

  it.each(['timeout', 'attemptTimeout'])('rejects a %s that is not positive', (name) => {
    for (const value of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      const error = new TypeError(`${name} ${positive}`);
      expect(() => new PetStoreClient({ ...valid, [name]: value })).toThrow(error);
    }
    expect(() => new PetStoreClient({ ...valid, [name]: false })).not.toThrow();
  });

  it('rejects a runtime that would round integers', () => {
    const { rawJSON } = JSON as { rawJSON?: unknown };
    Reflect.deleteProperty(JSON, 'rawJSON');
    onTestFinished(() => void Object.assign(JSON, { rawJSON }));

    expect(() => new PetStoreClient(valid)).toThrow(
      new TypeError(
        'PetStoreClient needs JSON.rawJSON: use Node 22 or later, or another runtime that has it.',
      ),
    );
  });

  it('accepts a path on a page, also for a list of several pages', async () => {
    const { baseUrl, requests } = await startStubApi(
      respond(200, `[${pet}]`, { Link: '</v1/pets?cursor=x>; rel="next"' }),
      respond(200, `[${pet}]`),
    );
    vi.stubGlobal('location', new URL('/page.html', baseUrl));
    onTestFinished(() => void vi.unstubAllGlobals());

    const api = new PetStoreClient({ baseUrl: '/v1', apiKey: 'secret' });

    expect(await Array.fromAsync(await api.listPets())).toStrictEqual([bella, bella]);
    expect(requests.map(({ url }) => url)).toStrictEqual(['/v1/pets?limit=100', '/v1/pets?cursor=x']);
  });
});

it('the options of a list are the parameters of its query, required where it requires them', () => {
  type Query = (typeof listPets)['parameters']['query'];
  type Required = {
    [Name in keyof Query as Query[Name] extends { isRequired: true } ? Name : never]: unknown;
  };

  expectTypeOf<keyof Query>().toExtend<keyof ListOptions>();
  expectTypeOf<ListOptions>().toExtend<Required>();
});
