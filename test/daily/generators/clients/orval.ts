import { createPet, getPet, listPets } from '../generated/orval.ts';
import { GetPetResponse } from '../generated/orval-zod.ts';
import type { Answer, Connect } from '../generated-client.ts';

const answerOf = ({ data, ...rest }: { status: number; headers: Headers; data: unknown }): Answer => ({
  ...rest,
  body: data,
});

// The generated code has the base URL of the description.
export const connect: Connect = (_baseUrl, apiKey) => {
  const headers = { Authorization: `Bearer ${apiKey}` };
  return {
    listPets: async (query) => answerOf(await listPets(query, { headers })),
    createPet: async (body, key) =>
      answerOf(await createPet(body, { headers: { ...headers, 'Idempotency-Key': key } })),
    getPet: async (petId) => answerOf(await getPet(petId, { headers })),
    accepts: (pet) => GetPetResponse.safeParse(pet).success,
  };
};
