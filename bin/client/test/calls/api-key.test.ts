import { describe, expect, it } from 'vitest';
import { respond } from '../../../cli/test/support/stub-api.ts';
import { PetStoreError } from '../../package/pet-store-client.ts';
import { clientOf, created, error, newPet, useNoRandomWait } from '../stub-client.ts';

useNoRandomWait();

const never = () => new Promise<string>(() => undefined);

describe('a function as apiKey', () => {
  it.each<[title: string, next: (keys: string[]) => string | Promise<string>]>([
    ['a text', (keys) => `${keys.shift()}`],
    ['a promise', async (keys) => `${keys.shift()}`],
  ])('returns %s, and is asked for each attempt', async (_title, next) => {
    const keys = ['old', 'new', 'newest'];
    const { api, requests } = await clientOf([error(503), created], { apiKey: () => next(keys) });

    await api.createPet(newPet);
    await api.createPet(newPet);

    const sent = requests.map(({ authorization }) => authorization);
    expect(sent).toStrictEqual(['Bearer old', 'Bearer new', 'Bearer newest']);
  });

  it.each([
    ['throws', () => Promise.reject(new TypeError('fetch failed')), new TypeError('fetch failed')],
    [
      'throws at once',
      () => {
        throw new Error('No vault.');
      },
      new Error('No vault.'),
    ],
    ['is empty', () => '', new TypeError('apiKey must be a text of visible ASCII characters.')],
    [
      'has two lines',
      async () => 'a\nb',
      new TypeError('apiKey must be a text of visible ASCII characters.'),
    ],
    ['is undefined', () => undefined, new TypeError('apiKey must be a text of visible ASCII characters.')],
  ])('ends the call without a request if it %s', async (_title, apiKey, cause) => {
    // @ts-expect-error A caller in JavaScript may return any value.
    const { api, requests } = await clientOf([created], { apiKey });

    const failure = await api.createPet(newPet).catch((thrown: unknown) => thrown);

    expect(failure).toBeInstanceOf(PetStoreError);
    expect(failure).toMatchObject({ code: 'aborted', message: 'apiKey returned no key.', status: 0, cause });
    expect(requests).toStrictEqual([]);
  });

  it('ends the call that may have created a pet with its key', async () => {
    const keys = ['old'];
    const apiKey = () => keys.pop() ?? '';
    const { api } = await clientOf([error(503)], { apiKey });

    const failed = api.createPet(newPet, { idempotencyKey: 'key' });

    await expect(failed).rejects.toMatchObject({ code: 'aborted', idempotencyKey: 'key' });
  });

  it('is not waited for longer than the call may take', async () => {
    const { api, requests } = await clientOf([created], { apiKey: never, timeout: 50 });

    const message = 'apiKey did not respond in time.';
    await expect(api.listPets()).rejects.toMatchObject({ code: 'timeout', message });
    expect(requests).toStrictEqual([]);
  });

  it('is not waited for once the call is aborted', async () => {
    const { api, requests } = await clientOf([created], { apiKey: never });

    const failed = api.listPets({ signal: AbortSignal.timeout(50) });

    await expect(failed).rejects.toMatchObject({ code: 'aborted', cause: { name: 'TimeoutError' } });
    expect(requests).toStrictEqual([]);
  });

  it('returns a key that is in no error, even if a server sends it back', async () => {
    const echo = respond(400, { code: 'x', message: 'The key new is wrong.' }, { 'X-Echo': 'new' });
    const { api } = await clientOf([echo], { apiKey: async () => 'new' });

    const failure = await api.listPets().catch((thrown: PetStoreError) => thrown);

    expect(failure).toMatchObject({ message: 'The key <API key> is wrong.' });
    expect('headers' in failure && failure.headers.get('X-Echo')).toBe('<API key>');
  });
});
