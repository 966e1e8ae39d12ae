import * as v from 'valibot';
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

/** What every error of the API has. */
const ErrorBody = v.object({ message: v.string() });

const names = 'Bella Max Luna Charlie Coco Rocky Daisy Milo Ruby Oscar Nala Simba'.split(' ');

/**
 * Creates sample pets through the API, which fails only if it has a defect.
 *
 * @throws {Error} with the message of the API, if a create fails
 */
export async function createSamples(count: number, api: Api): Promise<void> {
  // Sequentially, so that one environment per function is enough.
  for (let index = 0; index < count; index += 1) {
    const name = names[index % names.length] ?? '';
    const status = PetStatus.options[index % PetStatus.options.length];
    const newPet = { ...exampleNewPet, name, categoryId: BigInt(1 + (index % 3)), status };
    // With the key, ids are the same at each start: the first is that of the reference's examples.
    await create(newPet, `sample-pet-${index}`, api);
  }
}

async function create(newPet: object, key: string, { baseUrl, apiKey }: Api): Promise<void> {
  const response = await fetch(`${baseUrl}${firstCalls.create.path}`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${apiKey}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': key,
    },
    body: stringifyJson(newPet),
  });
  if (!response.ok) throw new Error(v.parse(ErrorBody, await response.json()).message);
}
