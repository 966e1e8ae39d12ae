import { Api, type HttpResponse } from '../generated/swagger-typescript-api.ts';
import type { Connect } from '../generated-client.ts';

export const connect: Connect = (baseUrl, apiKey) => {
  const { pets } = new Api({
    baseUrl,
    baseApiParams: { headers: { Authorization: `Bearer ${apiKey}` } },
  });
  return {
    listPets: (query) => answer(pets.listPets(query)),
    createPet: (newPet, key) => answer(pets.createPet(newPet, { headers: { 'Idempotency-Key': key } })),
    getPet: (petId) => answer(pets.getPet(petId)),
  };
};

/** On an error, this client throws the response. */
async function answer(response: Promise<HttpResponse<unknown, unknown>>) {
  const { status, headers, data, error } = await response.catch((thrown) => thrown);
  return { status, headers, body: data ?? error };
}
