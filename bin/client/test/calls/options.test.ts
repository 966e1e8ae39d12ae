import { describe, expect, it, onTestFinished } from 'vitest';
import { PetStoreClient } from '../../package/pet-store-client.ts';
import { clientOf, created, last, newPet, valid } from '../stub-client.ts';

it('sends the headers of the client, of the call, and the application', async () => {
  const { api, requests } = await clientOf([created], {
    application: 'storefront/2.1',
    headers: { authorization: 'mine', traceparent: 'a', 'X-Client': '1' },
  });

  await api.createPet(newPet, { headers: { Traceparent: 'b' } });

  expect(requests[0]).toMatchObject({
    authorization: 'Bearer secret',
    userAgent: expect.stringMatching(/^storefront\/2\.1 pet-store-client\/source /),
    headers: { traceparent: 'b', 'x-client': '1' },
  });
});

describe('an impossible option', () => {
  const invalidUrl = 'baseUrl must be an http or https URL ending in /v1, without a password or a query.';
  const invalidKey = 'apiKey must be a text of visible ASCII characters.';
  const invalidTimeout = 'timeout must be an integer of milliseconds from 1 to 2147483647.';
  const invalidRetries = 'retries must be an integer from 0.';

  const invalidHeaders = 'headers must be an object of texts that HTTP allows as names and values.';

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
    [{ timeout: Number.NaN }, invalidTimeout],
    [{ timeout: 2 ** 31 }, invalidTimeout],
    [{ timeout: '5' }, invalidTimeout],
    [{ headers: { 'a b': '' } }, invalidHeaders],
    [{ headers: { a: '€' } }, invalidHeaders],
    [
      { application: 'boutique/é' },
      'application must be a text of ASCII characters, such as storefront/2.1.',
    ],
    [{ signal: {} }, 'signal must be an AbortSignal.'],
    [{ onEvent: 'log' }, 'onEvent must be a function.'],
    [{ fetch: {} }, 'fetch must be a function.'],
  ])('is rejected by the constructor: %j', (option, message) => {
    // @ts-expect-error A caller in JavaScript may pass any value.
    expect(() => new PetStoreClient({ ...valid, ...option })).toThrow(new TypeError(message));
  });

  it('is rejected by a call without a request', async () => {
    const { api, requests } = await clientOf([created]);

    await expect(api.listPets({ timeout: 0 })).rejects.toThrow(new TypeError(invalidTimeout));
    await expect(api.createPet(newPet, { headers: { 'a b': '' } })).rejects.toThrow(TypeError);
    expect(requests).toStrictEqual([]);
  });

  it('is a text where a call takes an object', async () => {
    const { api, requests } = await clientOf([last]);
    const invalidOptions = new TypeError('Options must be an object, such as { timeout: 5000 }.');

    // @ts-expect-error A caller in JavaScript may pass the status itself, and would get all pets.
    await expect(api.listPets('sold')).rejects.toThrow(invalidOptions);
    // @ts-expect-error
    await expect(api.createPet(newPet, 'key')).rejects.toThrow(invalidOptions);
    expect(requests).toStrictEqual([]);
  });

  const withOption = { retries: 1, idempotencykey: 'key' };
  const perCall = 'timeout, retries, headers, signal';

  it('is one that does not exist, which the constructor rejects', () => {
    // @ts-expect-error A caller in JavaScript may misspell a name.
    const construct = () => new PetStoreClient({ ...valid, apikey: 'secret' });

    const message = `There is no option apikey: there are ${perCall}, baseUrl, apiKey, application, onEvent, fetch.`;
    expect(construct).toThrow(new TypeError(message));
  });

  // TypeScript finds a misspelled name only where the options are written out.
  it.each<[call: string, own: string, misspelled: string, send: (api: PetStoreClient) => Promise<unknown>]>([
    ['createPet', ', idempotencyKey', 'idempotencykey', (api) => api.createPet(newPet, withOption)],
    ['listPets', ', limit, status, cursor', 'idempotencykey', (api) => api.listPets(withOption)],
    ['getPet', '', 'idempotencykey', (api) => api.getPet(7n, withOption)],
  ])('is one that does not exist, which %s rejects: %s', async (_call, own, misspelled, send) => {
    const { api, requests } = await clientOf([created]);

    const message = `There is no option ${misspelled}: there are ${perCall}${own}.`;
    await expect(send(api)).rejects.toThrow(new TypeError(message));
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
