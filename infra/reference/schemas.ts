import { type ConversionConfig, toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { type ErrorBody, errorTable } from '../../shared/contract/errors/error-table.ts';
import { stringifyJson } from '../../shared/contract/json.ts';
import { listPets } from '../../shared/contract/operations.ts';
import { NewPet, Pet, PetStatus, petFields } from '../../shared/contract/schemas/pet.ts';

/** A part of the interface description. Its integers may be bigints. */
export type JsonObject = { readonly [name: string]: unknown };

/** The named schemas, as clients should read them: a later release can add codes and fields to an error. */
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
    status: v.pipe(
      v.number(),
      v.integer(),
      v.minValue(400),
      v.maxValue(599),
      v.metadata({ format: 'int32', description: 'The HTTP status.' }),
    ),
  } satisfies Record<keyof ErrorBody, v.GenericSchema>),
} as const;

const conversion: ConversionConfig = {
  target: 'draft-2020-12',
  typeMode: 'input',
  overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  overrideSchema: ({ valibotSchema, jsonSchema }) =>
    valibotSchema.type === 'bigint' ? { ...jsonSchema, type: 'integer', format: 'int64' } : undefined,
  overrideAction({ valibotAction, jsonSchema }) {
    const requirement = 'requirement' in valibotAction ? valibotAction.requirement : undefined;
    // JSON Schema counts a string's length in code points, and has no word for well-formed Unicode.
    if (valibotAction.type === 'max_code_points')
      return Object.assign({ ...jsonSchema }, { maxLength: requirement });
    if (valibotAction.type === 'check') return jsonSchema;
    if (typeof requirement !== 'bigint') return undefined;
    const keyword = valibotAction.type === 'min_value' ? 'minimum' : 'maximum';
    return Object.assign({ ...jsonSchema }, { [keyword]: requirement });
  },
};

/** The named schemas as JSON Schema. */
export const schemas: JsonObject = Object.fromEntries(
  Object.entries(toJsonSchemaDefs(named, conversion)).map(([name, schema]) => [
    name,
    schema.properties ? { ...schema, properties: describeFields(schema.properties) } : schema,
  ]),
);

/** Converts a schema to JSON Schema; named schemas become references. */
export function jsonSchemaOf(schema: v.GenericSchema): JsonObject {
  const { $schema, $defs, ...rest } = toJsonSchema(schema, { ...conversion, definitions: named });
  return rest;
}

/** Adds prose. A default becomes part of it, because many generators take a field that has one for required. */
function describeFields(properties: object): JsonObject {
  const prose: Readonly<Record<string, string>> = petFields;
  const described = Object.entries(properties).map(([name, { default: fallback, ...property }]) => {
    const whenOmitted = fallback === undefined ? '' : ` If omitted: \`${stringifyJson(fallback)}\`.`;
    return [name, { description: `${prose[name]}${whenOmitted}`, ...property }];
  });
  return Object.fromEntries(described);
}
