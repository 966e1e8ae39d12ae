import { type ConversionConfig, toJsonSchema } from '@valibot/to-json-schema';
import type { GenericSchema } from 'valibot';
import { ErrorBody, errorBody } from '../../shared/contract/errors/error-table.ts';
import { exampleNewPet, examplePet } from '../../shared/contract/operations.ts';
import {
  isPetName,
  NewPet,
  nameLength,
  Pet,
  PetStatus,
  petFields,
} from '../../shared/contract/schemas/pet.ts';

/** A part of the interface description. Its integers may be bigints. */
export type JsonObject = { readonly [name: string]: unknown };

const errorFields = {
  code: 'Machine-readable.',
  message: 'For a person: what to change.',
  status: 'The HTTP status again.',
} as const satisfies Record<keyof ErrorBody, string>;

/** The schemas that the interface description has under a name of their own, each with an example. */
const named = {
  NewPet: { schema: NewPet, fields: petFields, example: exampleNewPet },
  Pet: { schema: Pet, fields: petFields, example: examplePet },
  PetStatus: { schema: PetStatus, fields: {}, example: examplePet.status },
  Error: { schema: ErrorBody, fields: errorFields, example: JSON.parse(errorBody('not_found')) },
} as const;

const conversion: ConversionConfig = {
  target: 'draft-2020-12',
  typeMode: 'input',
  overrideSchema: ({ valibotSchema, jsonSchema }) =>
    valibotSchema.type === 'bigint' ? { ...jsonSchema, type: 'integer', format: 'int64' } : undefined,
  overrideAction({ valibotAction, jsonSchema }) {
    const requirement = 'requirement' in valibotAction ? valibotAction.requirement : undefined;
    if (requirement === isPetName) {
      return { ...jsonSchema, minLength: nameLength.minimum, maxLength: nameLength.maximum, pattern: '\\S' };
    }
    if (typeof requirement !== 'bigint') return undefined;
    const keyword = valibotAction.type === 'min_value' ? 'minimum' : 'maximum';
    return Object.assign({ ...jsonSchema }, { [keyword]: requirement });
  },
};

/** The schemas that the interface description names. */
export const schemas: Readonly<Record<string, JsonObject>> = Object.fromEntries(
  Object.entries(named).map(([name, { schema, fields, example }]) => {
    const { $schema, properties, ...rest } = toJsonSchema(schema, conversion);
    return [
      name,
      { ...rest, ...(properties && { properties: withProse(properties, fields) }), examples: [example] },
    ];
  }),
);

const definitions = Object.fromEntries(Object.entries(named).map(([name, { schema }]) => [name, schema]));

/** A schema as JSON Schema; what it has of the named ones is a reference to them. */
export function jsonSchemaOf(schema: GenericSchema): JsonObject {
  const { $schema, $defs, ...rest } = toJsonSchema(schema, {
    ...conversion,
    definitions,
    overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  });
  return rest;
}

function withProse(properties: object, fields: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [
      name,
      { description: fields[name], ...Object(property) },
    ]),
  );
}
