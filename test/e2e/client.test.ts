import { describe, expect, it } from 'vitest';
import { PetStoreClient } from '../../shared/client/pet-store-client.ts';
import { exampleNewPet } from '../../shared/contract/operations.ts';
import { apiKey, baseUrl, fetchAsDescribed } from '../support/e2e/api-client.ts';

const fetch = (request: string | URL | Request) => fetchAsDescribed(new Request(request));
const api = new PetStoreClient({ baseUrl, apiKey }, { fetch });

describe('the client', () => {
  it('creates a pet once under one Idempotency-Key', async () => {
    const newPet = { ...exampleNewPet, categoryId: 9223372036854775807n };
    const { pet } = await api.createPet(newPet, 'client-once');
    const again = await api.createPet(newPet, 'client-once');

    expect(pet).toStrictEqual({ id: expect.any(BigInt), ...newPet, status: 'available' });
    expect(again).toStrictEqual({ pet, isReplayed: true });
    expect(await api.getPet(pet.id)).toStrictEqual(pet);
  });

  it('does not compile with a field or status that the API rejects', async () => {
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
