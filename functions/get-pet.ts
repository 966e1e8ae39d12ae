import { ApiError } from '../shared/contract/errors/error-table.ts';
import { serve } from '../shared/http/serve.ts';
import { warmUp } from '../shared/lambda/warm-up.ts';
import { getPet } from '../shared/pets/operations.ts';
import { readPet } from '../shared/pets/stored-pets.ts';

const { handle, parse, respond } = serve(getPet);

export const handler = handle(async (event) => {
  const { path } = parse(event);

  const pet = await readPet(path.petId);

  if (!pet) throw new ApiError('not_found');
  return respond(pet, {});
});

await warmUp(() => readPet(0n));
