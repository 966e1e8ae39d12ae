import { getPetDeprecation } from '../shared/contract/deprecation.ts';
import { ApiError } from '../shared/contract/errors/error-table.ts';
import { parse } from '../shared/contract/errors/parse.ts';
import type { getPet } from '../shared/contract/operations.ts';
import { PetId } from '../shared/contract/schemas/pet.ts';
import { apiHandler, jsonResponse } from '../shared/http/api-handler.ts';
import { deprecated } from '../shared/http/deprecated.ts';
import { warmUp } from '../shared/lambda/warm-up.ts';
import { readPet } from '../shared/tables/pets-table.ts';

export const handler = apiHandler(deprecated(getPetDeprecation)).handler(async ({ pathParameters }) => {
  const id = parse(PetId, pathParameters?.['petId'], 'not_found', 'petId');

  const pet = await readPet(id);

  if (!pet) throw new ApiError('not_found');
  return jsonResponse<typeof getPet>(200, pet, {});
});

await warmUp(() => readPet(0n));
