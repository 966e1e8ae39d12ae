import { createPet, getPet, listPets } from '../generated/orval.ts';
import { GetPetResponse } from '../generated/orval-zod.ts';
import { answer, type Connect } from '../generated-client.ts';

// The generated code has the base URL of the description.
export const connect: Connect = (_baseUrl, apiKey) => {
  const headers = { Authorization: `Bearer ${apiKey}` };
  return {
    listPets: async (query) => answer(await listPets(query, { headers })),
    createPet: async (newPet, key) =>
      answer(await createPet(newPet, { headers: { ...headers, 'Idempotency-Key': key } })),
    getPet: async (petId) => answer(await getPet(petId, { headers })),
    accepts: (pet) => GetPetResponse.safeParse(pet).success,
  };
};
