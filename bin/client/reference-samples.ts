import type { OperationId } from '../../shared/service.ts';
import type { ClientSamples } from '../reference/client-samples.ts';
import client from './package/package.json' with { type: 'json' };

const calls = {
  listPets: `const pets = api.listPets({
  status: 'available',
});
for await (const pet of pets) {
  console.log(pet.id, pet.name);
}`,
  createPet: `await api.createPet(
  { name: 'Bella', categoryId: 1n },
  { idempotencyKey: 'order-4712' },
);`,
  getPet: 'const { pet } = await api.getPet(6973062927679661n);',
} satisfies Partial<Record<OperationId, string>>;

/** What the reference shows of this client. */
export const samples = {
  lang: 'ts',
  label: 'TypeScript',
  calls,
  program: `This TypeScript program does the same, with the client that the operator gives you. The client retries failed calls, and
returns integers as bigints. Save it as \`pets.mts\`, and run \`node pets.mts\` with Node 24 or later:

\`\`\`ts
import { PetStoreClient }
  from '${client.name}';

const { env } = process;
const api = new PetStoreClient({
  baseUrl: env.BASE_URL ?? '',
  apiKey: env.API_KEY ?? '',
});

${calls.createPet}

${calls.listPets}
\`\`\``,
} satisfies ClientSamples;
