import { inspect } from 'node:util';
import type { PetStoreClient } from '../../shared/client/pet-store-client.ts';
import { exampleNewPet, examplePet } from '../../shared/contract/operations.ts';
import type { JsonObject } from './schemas.ts';

const calls: Readonly<Record<string, string>> = {
  listPets: "for await (const page of api.listPets({ status: 'available' })) console.log(page);",
  createPet: `const { pet } = await api.createPet(${inspect(exampleNewPet)}, 'order-4711');\nconsole.log(pet);`,
  getPet: `console.log(await api.getPet(${examplePet.id}n));`,
} satisfies Partial<Record<keyof PetStoreClient, string>>;

/** Calls an operation with this project's client; Scalar generates the samples of other languages. */
export function codeSamples(operationId: string, baseUrl: string): JsonObject[] {
  const call = calls[operationId];
  if (call === undefined) return [];
  const source = `import { PetStoreClient } from 'pet-store-client';

const { API_KEY: apiKey = '' } = process.env;
const api = new PetStoreClient({ baseUrl: '${baseUrl}', apiKey });
${call}`;
  return [{ lang: 'typescript', label: 'TypeScript', source }];
}
