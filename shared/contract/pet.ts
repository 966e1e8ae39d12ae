import * as v from 'valibot';
import { errorTable } from './error-table.ts';
import { int64, int64Range, maxId } from './int64.ts';

/** How long a name may be, in code points. */
export const nameLength = { minimum: 1, maximum: 255 } as const;

const statuses = ['available', 'pending', 'sold'] as const;

const statusMessage = `status must be one of ${statuses.join(', ')}.`;
const nameMessage = `name must be a string of ${nameLength.minimum} to ${nameLength.maximum} characters, not only white space.`;
const categoryIdMessage = `categoryId must be an integer from ${int64Range}.`;
const unknownPet = errorTable.not_found.message;

/** The availability of a pet. */
export const PetStatus = v.picklist(statuses, statusMessage);
export type PetStatus = v.InferOutput<typeof PetStatus>;

/** A name is counted in code points, and kept exactly as sent: a lone surrogate could not be. */
const PetName = v.pipe(
  v.string(nameMessage),
  v.check(
    (name) => name.isWellFormed() && name.trim() !== '' && [...name].length <= nameLength.maximum,
    nameMessage,
  ),
);

/** What a client sends to create a pet. Unknown fields are dropped; integers are bigints. */
export const NewPet = v.object(
  {
    name: PetName,
    categoryId: int64(categoryIdMessage),
    status: v.optional(PetStatus, 'available'),
  },
  // An array counts as an object here, with all of its fields missing.
  ({ path }) =>
    path && !Array.isArray(path[0].input)
      ? `${String(path[0].key)} is required.`
      : 'The body must be a JSON object.',
);
export type NewPet = v.InferOutput<typeof NewPet>;

/** A pet of the catalogue, as the API answers it. `id` is positive and below 2^53. */
export const Pet = v.object({
  id: v.pipe(v.bigint(), v.minValue(1n), v.maxValue(maxId)),
  name: PetName,
  categoryId: int64(categoryIdMessage),
  status: PetStatus,
});
export type Pet = v.InferOutput<typeof Pet>;

/** A `petId` of a path: a positive int64 in canonical decimal. */
export const PetId = v.pipe(
  v.string(unknownPet),
  v.regex(/^[1-9]\d{0,18}$/, unknownPet),
  v.transform((digits) => BigInt(digits)),
  int64(unknownPet),
);
