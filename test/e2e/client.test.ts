import { describe, expect, it, vi } from 'vitest';
import { PetStoreClient } from '../../shared/client/pet-store-client.ts';
import { apiKey, baseUrl, fetchAsDescribed } from '../support/e2e/api-client.ts';

const fetch = (request: string | URL | Request) => fetchAsDescribed(new Request(request));
const api = new PetStoreClient({ baseUrl, apiKey }, { fetch });

describe('the client', () => {
  it('creates a pet, once under one Idempotency-Key, and gets it, to the last digit', async () => {
    const newPet = { name: 'Bella', categoryId: 9223372036854775807n };
    const { pet } = await api.createPet(newPet, 'client-once');
    const again = await api.createPet(newPet, 'client-once');

    expect(pet).toStrictEqual({ id: expect.any(BigInt), ...newPet, status: 'available' });
    expect(again).toStrictEqual({ pet, isReplayed: true });
    expect(await api.getPet(pet.id)).toStrictEqual(pet);
  });

  it('lists the pets of a status, from page to page', async () => {
    const names = ['Milo', 'Nala', 'Otto'];
    const created = await Promise.all(
      names.map((name) => api.createPet({ name, categoryId: 7n, status: 'sold' }, `client-${name}`)),
    );

    const listed = await vi.waitFor(
      async () => {
        const pets = (await Array.fromAsync(api.listPets({ status: 'sold', limit: 20 }))).flat();
        expect(pets).toEqual(expect.arrayContaining(created.map(({ pet }) => pet)));
        return pets;
      },
      { timeout: 20_000, interval: 200 },
    );

    expect(new Set(listed.map(({ id }) => id)).size).toBe(listed.length);
    expect(new Set(listed.map(({ status }) => status))).toStrictEqual(new Set(['sold']));
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
