import * as v from 'valibot';
import * as contract from '../../../shared/pets/pet.ts';

/** A pet to create. */
export type NewPet = Readonly<v.InferInput<typeof contract.NewPet>>;

/** Later API versions may add statuses. */
type Status = contract.PetStatus | (string & Record<never, never>);
const Status = v.custom<Status>((value) => typeof value === 'string');

/** A pet as the API returns it. */
export const Pet = v.object({ ...contract.Pet.entries, status: Status });
export type Pet = Readonly<v.InferOutput<typeof Pet>>;
