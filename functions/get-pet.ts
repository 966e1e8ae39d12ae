import { ApiError } from '../shared/api-error.ts';
import { apiHandler, json } from '../shared/middleware/api-handler.ts';
import { deprecated } from '../shared/middleware/deprecated.ts';
import { getPet } from '../shared/operations.ts';
import { parse } from '../shared/parse.ts';
import { PetId } from '../shared/pet.ts';
import { readPet } from '../shared/pets-table.ts';
import { warmUp } from '../shared/warm-up.ts';

export const handler = apiHandler(deprecated(getPet.deprecation)).handler(async ({ pathParameters }) => {
  const id = parse(PetId, pathParameters?.['petId'], 'not_found');

  const pet = await readPet(id);

  if (!pet) throw new ApiError('not_found');
  return json(getPet.success, pet);
});

await warmUp(() => readPet(0n));
