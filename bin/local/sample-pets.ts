import pMap from 'p-map';
import { PetStoreClient } from '../../shared/client/pet-store-client.ts';
import { PetStatus } from '../../shared/contract/schemas/pet.ts';
import { retriesWhereThereIsAnApi } from '../catalogue/retries.ts';

const names = [
  'Bella',
  'Max',
  'Luna',
  'Charlie',
  'Coco',
  'Rocky',
  'Daisy',
  'Milo',
  'Ruby',
  'Oscar',
  'Nala',
  'Simba',
] as const;

/**
 * Creates sample pets through the API, and gives the id of one of them. Each has an Idempotency-Key of its own, so that
 * a table that has them already gets no more.
 *
 * @throws {Error} when the API can't be called
 */
export async function createSamplePets(
  count: number,
  api: { readonly baseUrl: string; readonly apiKey: string },
): Promise<string | undefined> {
  const client = new PetStoreClient(api, retriesWhereThereIsAnApi());
  let id: bigint | undefined;
  const create = async (index: number) => {
    const name = names[index % names.length] ?? names[0];
    const status = PetStatus.options[index % PetStatus.options.length];
    const newPet = { name, categoryId: BigInt(1 + (index % 3)), status };
    ({ id } = (await client.createPet(newPet, `sample-pet-${index}`)).pet);
  };

  try {
    await pMap(indexesTo(count), create, { concurrency: 2 });
  } catch (error) {
    throw new Error(`The sample pets can't be created at ${api.baseUrl}: ${reasonOf(error)}`, {
      cause: error,
    });
  }
  return id?.toString();
}

function* indexesTo(count: number): Generator<number> {
  for (let index = 0; index < count; index += 1) yield index;
}

/** Some ports are not for fetch, nor for browsers: the reason is that of the innermost error. */
function reasonOf(error: unknown): string {
  if (error instanceof Error && error.cause instanceof Error) return reasonOf(error.cause);
  return error instanceof Error ? error.message : String(error);
}
