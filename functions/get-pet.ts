import { ApiError } from '../shared/contract/error-table.ts';
import { serve } from '../shared/http/serve.ts';
import { warmUp } from '../shared/lambda/init.ts';
import { getPet } from '../shared/pets/operations.ts';
import { petTable } from '../shared/pets/pet-table.ts';
import { readItem } from '../shared/tables/read-item.ts';
import { openTable } from '../shared/tables/table.ts';

const pets = openTable(petTable);
const { handle, parse, respond } = serve(getPet);

export const handler = handle(async (event) => {
  const { path } = parse(event);

  const pet = await readItem(pets, { id: path.petId });

  if (!pet) throw new ApiError('not_found');
  return respond(pet, {});
});

await warmUp(() => readItem(pets, { id: 0n }));
