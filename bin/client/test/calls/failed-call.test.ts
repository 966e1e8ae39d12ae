import { inspect } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import {
  loseConnection,
  respond,
  type StubResponse,
  startStubApi,
} from '../../../cli/test/support/stub-api.ts';
import {
  type ClientOptions,
  type FetchInit,
  PetStoreClient,
  PetStoreError,
} from '../../package/pet-store-client.ts';
import {
  clientOf,
  created,
  error,
  newPet,
  pet,
  requestId,
  useNoRandomWait,
  valid,
  withId,
} from '../stub-client.ts';

useNoRandomWait();

/** Returns why a list fails, and after how many seconds, without waiting for them. */
async function failureOf(fetch: NonNullable<ClientOptions['fetch']>) {
  vi.useFakeTimers();
  const begun = performance.now();
  const failed = new PetStoreClient({ ...valid, fetch })
    .listPets()
    .catch((error: unknown) => ({ error, seconds: (performance.now() - begun) / 1000 }));
  await vi.runAllTimersAsync();
  return failed;
}

/** Responds never: rejects when the request is aborted, as `fetch` does. */
const silence = (_url: string, { signal }: FetchInit) =>
  new Promise<Response>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
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
      headers: expect.any(Headers),
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/v1\/pets$/),
      requestId,
      retryAfter: undefined,
    });
    expect(requests).toHaveLength(1);
  });

  const elsewhere = 'The response is not from a pet store: check the base URL, which ends in /v1.';

  it.each<[code: string, status: number, message: string, response: StubResponse]>([
    ['gone', 500, 'It failed.', error(500)],
    ['unreachable', 0, 'No whole response came from the API.', loseConnection],
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
    await expect(api.createPet(newPet, { retries: undefined })).rejects.toMatchObject({ status: 502 });
    expect(requests).toHaveLength(3);
    await expect(api.createPet(newPet, { retries: 0 })).rejects.toMatchObject({ status: 502 });
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

  it('is caused by the last response when time runs out', async () => {
    const fetch = vi.fn<typeof silence>(silence);
    fetch.mockResolvedValueOnce(Response.json({ code: 'x', message: '' }, { status: 503 }));

    const message = 'The API did not respond in time, and failed with x before.';
    const cause = { code: 'x', status: 503 };
    expect(await failureOf(fetch)).toMatchObject({ error: { code: 'timeout', status: 0, message, cause } });
  });

  it('ends within five seconds if nothing listens', async () => {
    vi.mocked(Math.random).mockReturnValue(1);
    const refused = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' });

    const failed = await failureOf(() => Promise.reject(new TypeError('fetch failed', { cause: refused })));

    const cause = { message: 'fetch failed: ECONNREFUSED' };
    expect(failed).toMatchObject({ error: { code: 'unreachable', cause } });
    expect(failed).toMatchObject({ seconds: expect.closeTo(4.5) });
  });
});
