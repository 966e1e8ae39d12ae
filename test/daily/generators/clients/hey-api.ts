import { createClient } from '../generated/hey-api/client/index.ts';
import { createPet, getPet, listPets } from '../generated/hey-api/sdk.gen.ts';
import { answerOf, type Connect } from '../generated-client.ts';

export const connect: Connect = (baseUrl, apiKey) => {
  const client = createClient({ baseUrl, auth: apiKey });
  return {
    listPets: async (query) => answerOf(await listPets({ client, query })),
    createPet: async (body, key) =>
      answerOf(await createPet({ client, body, headers: { 'Idempotency-Key': key } })),
    getPet: async (petId) => answerOf(await getPet({ client, path: { petId } })),
  };
};
