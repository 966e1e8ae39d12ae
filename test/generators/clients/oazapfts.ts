import { createPet, defaults, getPet, listPets } from '../generated/oazapfts.ts';
import { answer, type Connect } from '../generated-client.ts';

export const connect: Connect = (baseUrl, apiKey) => {
  Object.assign(defaults, { baseUrl, headers: { Authorization: `Bearer ${apiKey}` } });
  return {
    listPets: async (query) => answer(await listPets(query)),
    createPet: async (newPet, idempotencyKey) => answer(await createPet(newPet, { idempotencyKey })),
    getPet: async (petId) => answer(await getPet(petId)),
  };
};
