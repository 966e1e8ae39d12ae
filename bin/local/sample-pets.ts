import { PetStoreClient } from '../../shared/client/pet-store-client.ts';
import { exampleNewPet } from '../../shared/pets/operations.ts';
import { PetStatus } from '../../shared/pets/pet.ts';

interface Api {
  readonly baseUrl: string;
  readonly apiKey: string;
}

const names = 'Bella Max Luna Charlie Coco Rocky Daisy Milo Ruby Oscar Nala Simba'.split(' ');

/**
 * Creates sample pets through the API, and returns the id of one of them.
 *
 * @throws {PetStoreError} if the API fails
 */
export async function createSamplePets(count: number, api: Api): Promise<string | undefined> {
  const client = clientOf(api);
  let petId: string | undefined;
  // Sequentially, so that one environment per function is enough.
  for (let index = 0; index < count; index += 1) {
    const name = names[index % names.length] ?? '';
    const status = PetStatus.options[index % PetStatus.options.length];
    const newPet = { ...exampleNewPet, name, categoryId: BigInt(1 + (index % 3)), status };
    // With the key, ids are the same at each start: the first is that of the reference's examples.
    const { pet } = await client.createPet(newPet, `sample-pet-${index}`);
    petId = pet.id.toString();
  }
  return petId;
}

/**
 * Returns the id of one of the first pets in the list, if there is any.
 *
 * @throws {PetStoreError} if the API fails
 */
export async function findPet(api: Api): Promise<string | undefined> {
  const { pets } = await clientOf(api).listPets();
  return pets[0]?.id.toString();
}

/** Few retries: most failures are defects, of which retries would only delay the message. */
const clientOf = (api: Api) => new PetStoreClient({ ...api, retries: 3 });
