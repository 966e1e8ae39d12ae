import type { ConversionConfig, JsonSchema } from '@valibot/to-json-schema';
import { toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { errorTable } from '../../shared/contract/errors/error-table.ts';
import { stringifyJson } from '../../shared/contract/json.ts';
import { listPets } from '../../shared/contract/operations.ts';
import { NewPet, Pet, PetStatus, petFields, StoredStatus } from '../../shared/contract/schemas/pet.ts';

/** A part of the interface description. Its integers may be bigints. */
export type JsonObject = { readonly [name: string]: unknown };

export const mapValues = <T>(
  values: Readonly<Record<string, T>>,
  convert: (value: T, name: string) => unknown,
): JsonObject =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, convert(value, name)]));

const httpStatus = { format: 'int32', description: 'The HTTP status.' };

/** The named schemas. An error is open: later releases may add codes and fields. */
const named = {
  NewPet,
  Pet,
  Pets: listPets.response.schema,
  PetStatus,
  Error: v.object({
    code: v.pipe(
      v.string(),
      v.description('Machine-readable. Later releases may add codes: handle an unknown one by its status.'),
      v.metadata({ 'x-extensible-enum': Object.keys(errorTable) }),
    ),
    message: v.pipe(v.string(), v.description('Human-readable: what to change.')),
    status: v.pipe(v.number(), v.integer(), v.minValue(400), v.maxValue(599), v.metadata(httpStatus)),
  }),
} as const;

/** Keywords for actions that the converter does not support, or not for bigints. */
const keywords: Readonly<Record<string, string>> = {
  max_code_points: 'maxLength',
  min_value: 'minimum',
  max_value: 'maximum',
};

const conversion: ConversionConfig = {
  target: 'draft-2020-12',
  typeMode: 'input',
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  overrideSchema({ valibotSchema, jsonSchema }) {
    // The specification gives a status as an enumeration, in responses too.
    if (valibotSchema === StoredStatus) return { $ref: '#/components/schemas/PetStatus' };
    return valibotSchema.type === 'bigint' ? { ...jsonSchema, type: 'integer', format: 'int64' } : undefined;
  },
  overrideAction({ valibotAction, jsonSchema }) {
    // JSON Schema has no keyword for well-formed Unicode.
    if (valibotAction.type === 'check') return jsonSchema;
    const keyword = keywords[valibotAction.type];
    return keyword && 'requirement' in valibotAction
      ? Object.assign({ ...jsonSchema }, { [keyword]: valibotAction.requirement })
      : undefined;
  },
};

/** The named schemas as JSON Schema. */
export const schemas = mapValues(toJsonSchemaDefs(named, conversion), (schema) =>
  schema.properties ? { ...schema, properties: describeFields(schema.properties) } : schema,
);

/** Converts a schema to JSON Schema; named schemas become references. */
export function jsonSchemaOf(schema: v.GenericSchema): JsonObject {
  const { $schema, $defs, ...rest } = toJsonSchema(schema, { ...conversion, definitions: named });
  return rest;
}

/** Adds descriptions, with defaults as prose: generators make fields with a `default` required. */
export function describeFields(properties: NonNullable<JsonSchema['properties']>): JsonObject {
  const prose: Readonly<Record<string, string>> = petFields;
  return mapValues(properties, (property, name) => {
    if (typeof property === 'boolean') return property;
    const { default: fallback, description = prose[name], ...schema } = property;
    const whenOmitted = fallback === undefined ? [] : [`If omitted: \`${stringifyJson(fallback)}\`.`];
    const sentences = [...(description === undefined ? [] : [description]), ...whenOmitted];
    return sentences.length > 0 ? { description: sentences.join(' '), ...schema } : schema;
  });
}
