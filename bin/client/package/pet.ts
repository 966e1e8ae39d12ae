import type * as v from 'valibot';
import type * as contract from '../../../shared/pets/pet.ts';

/** A pet to create. */
export type NewPet = Readonly<v.InferInput<typeof contract.NewPet>>;

/** A pet as the API returns it. Later API versions may add statuses. */
export type Pet = Readonly<
  Omit<contract.Pet, 'status'> & { status: contract.PetStatus | (string & Record<never, never>) }
>;
