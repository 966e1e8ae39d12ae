import * as v from 'valibot';

/** Maximum name length, in code points. */
const maxNameLength = 255;

const int64Min = -(2n ** 63n);
const int64Max = 2n ** 63n - 1n;

/** Ids stay below 2^53, so that no client loses precision. */
const maxId = 2n ** 53n - 1n;

const nameRule = `1 to ${maxNameLength} Unicode code points, not only white space, without lone surrogates`;
const nameMessage = `must be a string of ${nameRule}`;
const categoryIdMessage = `must be an integer from ${int64Min} to ${int64Max}`;

/** The availability of a pet. */
export const PetStatus = v.picklist(['available', 'pending', 'sold']);
export type PetStatus = v.InferOutput<typeof PetStatus>;

const PetName = v.pipe(
  v.string(nameMessage),
  v.minLength(1, nameMessage),
  v.maxCodePoints(maxNameLength, nameMessage),
  v.regex(/\S/, nameMessage),
  // A lone surrogate could not be stored as sent.
  v.check((name) => name.isWellFormed(), nameMessage),
);

/** What a client sends to create a pet. Unknown fields are dropped; integers are bigints. */
export const NewPet = v.object({
  name: PetName,
  categoryId: v.pipe(
    v.bigint(categoryIdMessage),
    v.minValue(int64Min, categoryIdMessage),
    v.maxValue(int64Max, categoryIdMessage),
  ),
  status: v.optional(PetStatus, 'available'),
});
export type NewPet = v.InferOutput<typeof NewPet>;

/**
 * The status of a stored pet, which a later version of the service may have written: that version may run
 * beside this one, or may have been rolled back. So the interface description only lists today's values.
 */
export const StoredStatus = v.pipe(v.string(), v.metadata({ 'x-extensible-enum': PetStatus.options }));

/** A pet as the API returns it: the fields sent, the status filled in, and an `id` below 2^53. */
export const Pet = v.object({
  id: v.pipe(v.bigint(), v.minValue(1n), v.maxValue(maxId)),
  ...NewPet.entries,
  status: StoredStatus,
});
export type Pet = v.InferOutput<typeof Pet>;

/** The descriptions of a pet's fields, in Markdown. */
export const petFields = {
  id: 'Assigned by the service; below 2^53.',
  name: `${nameRule}; kept exactly as sent.`,
  categoryId: 'The category that the pet belongs to; any 64-bit integer, kept exactly.',
  status: 'The availability of the pet. Later releases may add values.',
} as const satisfies Record<keyof Pet, string>;
