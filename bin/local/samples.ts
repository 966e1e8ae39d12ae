import { PetStoreClient } from '../../shared/client/pet-store-client.ts';
import { stringifyJson } from '../../shared/contract/json.ts';
import { exampleNewPet } from '../../shared/pets/operations.ts';
import { PetStatus } from '../../shared/pets/pet.ts';

interface Api {
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** The first calls of whoever starts the local API. */
export const firstCalls = {
  title: 'List pets, and create one',
  list: '/pets?limit=5&status=available',
  create: { path: '/pets', body: stringifyJson(exampleNewPet) },
};

const names = 'Bella Max Luna Charlie Coco Rocky Daisy Milo Ruby Oscar Nala Simba'.split(' ');

/**
 * Creates sample pets through the API.
 *
 * @throws {PetStoreError} if the API fails
 */
export async function createSamples(count: number, api: Api): Promise<void> {
  // Few retries: most failures are defects, of which retries would only delay the message.
  const client = new PetStoreClient({ ...api, retries: 3 });
  // Sequentially, so that one environment per function is enough.
  for (let index = 0; index < count; index += 1) {
    const name = names[index % names.length] ?? '';
    const status = PetStatus.options[index % PetStatus.options.length];
    const newPet = { ...exampleNewPet, name, categoryId: BigInt(1 + (index % 3)), status };
    // With the key, ids are the same at each start: the first is that of the reference's examples.
    await client.createPet(newPet, { idempotencyKey: `sample-pet-${index}` });
  }
}
