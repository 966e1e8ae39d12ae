import * as v from 'valibot';
import { filter, pageParameters } from './page-query.ts';
import { PetStatus } from './pet.ts';

/** The query of listPets. */
export const ListPetsQuery = v.object({ ...pageParameters, status: filter(PetStatus) });
export type ListPetsQuery = v.InferOutput<typeof ListPetsQuery>;

/** The filters of listPets. */
export type PetFilter = Omit<ListPetsQuery, keyof typeof pageParameters>;
