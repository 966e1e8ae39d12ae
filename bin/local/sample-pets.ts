import { PetStoreClient, PetStoreError } from '../../shared/client/pet-store-client.ts';
import { exampleNewPet } from '../../shared/contract/operations.ts';
import { PetStatus } from '../../shared/contract/schemas/pet.ts';

const names = 'Bella Max Luna Charlie Coco Rocky Daisy Milo Ruby Oscar Nala Simba'.split(' ');

/**
 * Creates sample pets through the API, and returns the id of an existing pet. Each sample has an
 * Idempotency-Key, so a table that already has them is left unchanged, even if their fields have changed
 * since.
 *
 * @throws {PetStoreError} if the API fails
 */
export async function createSamplePets(
  count: number,
  api: { readonly baseUrl: string; readonly apiKey: string },
): Promise<string | undefined> {
  // A 500 is a defect, such as a pet stored by an older version: retries would only delay the start.
  const client = new PetStoreClient(api, { retry: { statusCodes: [429, 503] } });
  // Sequentially, so that one environment per function is enough.
  for (let index = 0; index < count; index += 1) {
    const name = names[index % names.length] ?? '';
    const status = PetStatus.options[index % PetStatus.options.length];
    const newPet = { ...exampleNewPet, name, categoryId: BigInt(1 + (index % 3)), status };
    await client.createPet(newPet, `sample-pet-${index}`).catch((error: unknown) => {
      if (!(error instanceof PetStoreError && error.code === 'idempotency_key_reused')) throw error;
    });
  }
  const { value: pet } = await client.iteratePets({ limit: 1 }).next();
  return pet?.id.toString();
}
