import { type ConversionConfig, toJsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import { ErrorBody } from '../../shared/contract/error-table.ts';
import { NewPet, nameLength, Pet, PetStatus } from '../../shared/contract/pet.ts';

/** A part of the interface description. Its integers may be bigints. */
export type JsonObject = { readonly [name: string]: unknown };

const descriptions: Readonly<Record<string, string>> = {
  id: 'Assigned by the service; below 2^53.',
  name: `${nameLength.minimum} to ${nameLength.maximum} characters (Unicode code points), not only white space; kept exactly as sent.`,
  categoryId: 'The category that the pet belongs to; any 64-bit integer, kept digit for digit.',
  code: 'Machine-readable.',
  message: 'For a person: what to change.',
};

const conversion: ConversionConfig = {
  target: 'draft-2020-12',
  typeMode: 'input',
  overrideSchema: ({ valibotSchema, jsonSchema }) =>
    valibotSchema.type === 'bigint' ? { ...jsonSchema, type: 'integer', format: 'int64' } : undefined,
  overrideAction({ valibotAction, jsonSchema }) {
    // The one check is that of a name.
    if (valibotAction.type === 'check') {
      return { ...jsonSchema, minLength: nameLength.minimum, maxLength: nameLength.maximum, pattern: '\\S' };
    }
    const requirement = 'requirement' in valibotAction ? valibotAction.requirement : undefined;
    if (typeof requirement !== 'bigint') return undefined;
    const keyword = valibotAction.type === 'min_value' ? 'minimum' : 'maximum';
    return Object.assign({ ...jsonSchema }, { [keyword]: requirement });
  },
};

function schemaOf(schema: GenericSchema, example: unknown): JsonObject {
  const { $schema, properties, ...rest } = toJsonSchema(schema, conversion);
  const described = Object.entries(properties ?? {}).map(([name, property]) => [
    name,
    { ...(name in descriptions && { description: descriptions[name] }), ...Object(property) },
  ]);
  return { ...rest, ...(properties && { properties: Object.fromEntries(described) }), examples: [example] };
}

/** The pet of every example. */
export const examplePet = {
  id: 3647600370042976n,
  name: 'Bella',
  categoryId: 1n,
  status: 'available',
} satisfies Pet;

/** The schemas that the interface description names. */
export const schemas = {
  NewPet: schemaOf(NewPet, { name: examplePet.name, categoryId: examplePet.categoryId }),
  Pet: schemaOf(Pet, examplePet),
  PetStatus: schemaOf(PetStatus, examplePet.status),
  Error: schemaOf(ErrorBody, {
    code: 'not_found',
    message: 'The requested resource could not be found.',
    status: 404,
  }),
} as const satisfies Record<string, JsonObject>;
