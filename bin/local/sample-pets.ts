import { PetStatus } from '../../shared/contract/pet.ts';
import type { Address } from './greeting.ts';

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
];

type Api = Pick<Address, 'baseUrl' | 'apiKey'>;

/** How many creates are under way at once. */
const concurrency = 8;

/**
 * Creates sample pets through the API, and gives the id of one of them. Each has an Idempotency-Key of its own, so that
 * a table that has them already gets no more.
 */
export async function createSamplePets(count: number, api: Api): Promise<string | undefined> {
  const indexes = Array.from({ length: count }, (_, index) => index).values();
  let id: string | undefined;

  async function createInTurn(): Promise<void> {
    for (const index of indexes) id = await createSamplePet(index, api);
  }
  await Promise.all(Array.from({ length: concurrency }, createInTurn));
  return id;
}

async function createSamplePet(index: number, { baseUrl, apiKey }: Api): Promise<string | undefined> {
  const response = await fetch(`${baseUrl}/pets`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${apiKey}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': `sample-pet-${index}`,
    },
    body: JSON.stringify({
      name: names[index % names.length],
      categoryId: 1 + (index % 3),
      status: PetStatus.options[index % PetStatus.options.length],
    }),
  }).catch((error: Error) => {
    // Some ports are not for fetch, nor for browsers.
    throw new Error(`The API can't be called at ${baseUrl}: ${Object(error.cause).message}`, {
      cause: error,
    });
  });
  if (response.status !== 201) {
    throw new Error(`A sample pet could not be created: ${response.status} ${await response.text()}`);
  }
  await response.arrayBuffer();
  return response.headers.get('Location')?.split('/').at(-1);
}
