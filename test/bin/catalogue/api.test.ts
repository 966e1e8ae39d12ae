import { describe, expect, it, onTestFinished } from 'vitest';
import { CatalogueApi, UnexpectedResponseError } from '../../../bin/catalogue/api.ts';
import { type Pet, PetStatus } from '../../../shared/contract/pet.ts';
import {
  answer,
  loseConnection,
  loseConnectionMidway,
  type StubAnswer,
  type StubRequest,
  startStubApi,
} from '../../support/catalogue/stub-api.ts';

/** The client of an API that gives these answers, and what it was sent. */
async function clientOf(...answers: readonly StubAnswer[]) {
  const stub = await startStubApi(...answers);
  onTestFinished(stub.close);
  return { api: new CatalogueApi(stub.baseUrl, 'secret'), ...stub };
}

const newPet = { name: 'Bella', categoryId: 9223372036854775807n, status: 'sold' } as const;
const pet = '{"id":7,"name":"Bella","categoryId":9223372036854775807,"status":"sold"}';
const created = answer(201, pet);
const error = (status: number, message = 'It failed.', headers = {}) =>
  answer(status, { code: 'gone', message, status }, headers);

const sent = { url: '/v1/pets', authorization: 'Bearer secret', at: expect.any(Number) };
const sentPet = {
  ...sent,
  idempotencyKey: 'key',
  body: '{"name":"Bella","categoryId":9223372036854775807,"status":"sold"}',
};

describe('the check', () => {
  it('asks for a page of one pet', async () => {
    const { api, requests } = await clientOf(answer(200, `[${pet}]`));

    await api.check();

    expect(requests).toMatchObject([{ ...sent, url: '/v1/pets?limit=1' }]);
  });

  it('waits where the API asks for it', async () => {
    const { api, requests } = await clientOf(
      error(429, 'Wait.', { 'Retry-After': '0' }),
      error(500),
      answer(200, '[]'),
    );

    await api.check();

    expect(requests).toHaveLength(3);
  });

  it('fails at once where the connection is lost', async () => {
    const { api, requests } = await clientOf(loseConnection, answer(200, '[]'));

    await expect(api.check()).rejects.toThrow(TypeError);
    expect(requests).toHaveLength(1);
  });

  it.each(['<html>', '', '{}', '[{}]'])('fails where a page is %j: that is no pet store', async (text) => {
    const { api } = await clientOf(answer(200, text));

    await expect(api.check()).rejects.toThrow(UnexpectedResponseError);
  });
});

describe('a create', () => {
  it('sends the pet, its integers exact, with the API key and the Idempotency-Key', async () => {
    const { api, requests } = await clientOf(created);

    const outcome = await api.create(newPet, 'key');

    expect(outcome).toBe('created');
    expect(requests).toStrictEqual([sentPet]);
  });

  it('tells a pet that was there already', async () => {
    const { api } = await clientOf(answer(201, pet, { 'Idempotency-Replayed': 'true' }));

    expect(await api.create(newPet, 'key')).toBe('replayed');
  });

  it.each([400, 413, 415, 422])(
    'tells why the API refuses a pet with %i, and does not insist',
    async (status) => {
      const { api, requests } = await clientOf(error(status, 'name is required.'));

      const outcome = await api.create(newPet, 'key');

      expect(outcome).toStrictEqual({ refusal: 'name is required.' });
      expect(requests).toHaveLength(1);
    },
  );

  it.each([
    [200, '<html>'],
    [201, '{"id":7}'],
    [400, '<html>'],
  ])('fails at a %i with %j: that is no pet store', async (status, text) => {
    const { api } = await clientOf(answer(status, text));

    await expect(api.create(newPet, 'key')).rejects.toThrow(UnexpectedResponseError);
  });

  it.each([401, 404, 410])('fails at once when the API answers %i', async (status) => {
    const { api, requests } = await clientOf(error(status));

    const outcome = api.create(newPet, 'key');

    await expect(outcome).rejects.toMatchObject({ name: 'HTTPError', response: { status } });
    expect(requests).toHaveLength(1);
  });

  it.concurrent.each([429, 503])('waits as long as a %i says, and tries again', async (status) => {
    const stub = await startStubApi(error(status, 'Wait.', { 'Retry-After': '1' }), created);

    const outcome = await new CatalogueApi(stub.baseUrl, 'secret').create(newPet, 'key');

    await stub.close();
    const [first = 0, second = 0] = stub.requests.map(({ at }) => at);
    expect(outcome).toBe('created');
    expect(stub.requests).toStrictEqual([sentPet, sentPet]);
    expect(second - first).toBeGreaterThan(990);
  });

  it.each([
    ['500', error(500)],
    ['502', answer(502, '<html>')],
    ['504', error(504)],
    ['nothing, the connection lost', loseConnection],
    ['half of an answer, the connection lost', loseConnectionMidway],
  ])('is tried again under the same Idempotency-Key after %s', async (_title, failure) => {
    const { api, requests } = await clientOf(failure, created);

    const outcome = await api.create(newPet, 'key');

    expect(outcome).toBe('created');
    expect(requests).toStrictEqual([sentPet, sentPet]);
  });
});

describe('once it is interrupted', () => {
  it.each<[title: string, call: (api: CatalogueApi) => Promise<unknown>]>([
    ['a create', (api) => api.create(newPet, 'key')],
    ['the check', (api) => api.check()],
  ])('%s is not tried again', async (_title, call) => {
    const interruption = new AbortController();
    const stub = await startStubApi((response) => {
      interruption.abort();
      error(503)(response);
    });
    onTestFinished(stub.close);
    const api = new CatalogueApi(stub.baseUrl, 'secret', interruption.signal);

    await expect(call(api)).rejects.toMatchObject({ response: { status: 503 } });
    expect(stub.requests).toHaveLength(1);
  });
});

describe('the pages of the list', () => {
  const bella: Pet = { id: 7n, ...newPet };

  async function readPages(pages: AsyncIterable<Pet[]>): Promise<Pet[][]> {
    const read = [];
    for await (const page of pages) read.push(page);
    return read;
  }
  const urlsOf = (requests: readonly StubRequest[]) => requests.map(({ url }) => url);

  it('are read from link to link until there is none, with their integers exact', async () => {
    const { api, requests } = await clientOf(
      (response) =>
        answer(200, `[${pet},${pet}]`, {
          Link: `<http://${response.req.headers.host}/v1/pets?cursor=x>; rel="next"`,
        })(response),
      answer(200, `[${pet}]`),
    );

    const pages = await readPages(api.pages());

    expect(pages).toStrictEqual([[bella, bella], [bella]]);
    expect(urlsOf(requests)).toStrictEqual(['/v1/pets?limit=100', '/v1/pets?cursor=x']);
  });

  it.each(PetStatus.options)('are those of the status %s where that is asked for', async (status) => {
    const { api, requests } = await clientOf(answer(200, '[]'));

    const pages = await readPages(api.pages(status));

    expect(pages).toStrictEqual([[]]);
    expect(urlsOf(requests)).toStrictEqual([`/v1/pets?limit=100&status=${status}`]);
  });

  it('are asked for again when the connection is lost', async () => {
    const { api, requests } = await clientOf(loseConnection, loseConnectionMidway, answer(200, `[${pet}]`));

    const pages = await readPages(api.pages());

    expect(pages).toStrictEqual([[bella]]);
    expect(requests).toHaveLength(3);
  });
});

describe('the base address', () => {
  it('may end in a slash', async () => {
    const { baseUrl, requests } = await clientOf(created);

    await new CatalogueApi(`${baseUrl}/`, 'secret').create(newPet, 'key');

    expect(requests).toStrictEqual([sentPet]);
  });
});
