import { describe, expect, it, vi } from 'vitest';
import { PetStoreClient } from '../../shared/client/pet-store-client.ts';
import { apiKey, baseUrl, fetchAsDescribed } from '../support/e2e/api-client.ts';

const fetch = (request: string | URL | Request) => fetchAsDescribed(new Request(request));
const api = new PetStoreClient({ baseUrl, apiKey }, { fetch });

describe('the client', () => {
  it.each([9223372036854775807n, -9223372036854775808n])(
    'creates a pet and gets it, with the categoryId %i to the last digit',
    async (categoryId) => {
      const { pet } = await api.createPet({ name: 'Bella', categoryId }, `client-${categoryId}`);

      const got = await api.getPet(pet.id);

      expect(pet).toStrictEqual({ id: expect.any(BigInt), name: 'Bella', categoryId, status: 'available' });
      expect(got).toStrictEqual(pet);
    },
  );

  it('creates nothing twice under one Idempotency-Key', async () => {
    const create = () => api.createPet({ name: 'Milo', categoryId: 1n, status: 'sold' }, 'client-twice');
    const first = await create();

    expect(await create()).toStrictEqual({ pet: first.pet, isReplayed: true });
  });

  it('lists the pets of a status, from page to page', async () => {
    const names = ['Milo', 'Nala', 'Otto'];
    const created = await Promise.all(
      names.map((name) => api.createPet({ name, categoryId: 7n, status: 'sold' }, `client-${name}`)),
    );

    const listed = await vi.waitFor(
      async () => {
        const pets = (await Array.fromAsync(api.listPets({ status: 'sold', limit: 2 }))).flat();
        expect(pets).toEqual(expect.arrayContaining(created.map(({ pet }) => pet)));
        return pets;
      },
      { timeout: 20_000, interval: 200 },
    );

    expect(new Set(listed.map(({ id }) => id)).size).toBe(listed.length);
    expect(new Set(listed.map(({ status }) => status))).toStrictEqual(new Set(['sold']));
  });

  it('throws an error of the API', async () => {
    const refused = new PetStoreClient({ baseUrl, apiKey: 'none' }).listPets().next();

    await expect(refused).rejects.toMatchObject({
      code: 'unauthorized',
      message: 'A valid API key is required: send it as "Authorization: Bearer <API key>".',
      status: 401,
    });
  });

  it('does not compile with a wrong field or status, which the API refuses too', async () => {
    await Promise.all([
      // @ts-expect-error The field is called name.
      expect(api.createPet({ petName: 'Bella', categoryId: 1n })).rejects.toMatchObject({
        code: 'invalid_body',
      }),
      // @ts-expect-error The statuses are available, pending and sold.
      expect(api.listPets({ status: 'lost' }).next()).rejects.toMatchObject({ code: 'invalid_query' }),
    ]);
  });
});
