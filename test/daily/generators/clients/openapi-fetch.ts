import createClient from 'openapi-fetch';
import type { paths } from '../generated/openapi-fetch.ts';
import { answerOf, type Connect } from '../generated-client.ts';

export const connect: Connect = (baseUrl, apiKey) => {
  const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${apiKey}` } });
  return {
    listPets: async (query) => answerOf(await client.GET('/pets', { params: { query } })),
    createPet: async (body, key) =>
      answerOf(await client.POST('/pets', { params: { header: { 'Idempotency-Key': key } }, body })),
    getPet: async (petId) => answerOf(await client.GET('/pets/{petId}', { params: { path: { petId } } })),
  };
};
