import type { ConversionConfig, JsonSchema } from '@valibot/to-json-schema';
import { toJsonSchema, toJsonSchemaDefs } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { stringifyJson } from '../../shared/contract/json.ts';
import type { Body } from '../../shared/contract/operation.ts';
import { description, errors } from '../../shared/service.ts';

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
  ...description.schemas,
  Error: v.object({
    code: v.pipe(
      v.string(),
      v.description('Machine-readable. Later releases may add codes: handle an unknown one by its status.'),
      v.metadata({ 'x-extensible-enum': errors.map(({ code }) => code) }),
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
    return valibotSchema.type === 'bigint' ? { ...jsonSchema, type: 'integer', format: 'int64' } : undefined;
  },
  overrideAction({ valibotAction, jsonSchema }) {
    // JSON Schema has no keyword for well-formed Unicode.
    if (valibotAction.type === 'check') return jsonSchema;
    // Valibot accepts more than the formats of dates and times, such as 2026-02-31.
    if (valibotAction.type.startsWith('iso_')) return omitFormat(jsonSchema);
    const keyword = keywords[valibotAction.type];
    return keyword && 'requirement' in valibotAction
      ? Object.assign({ ...jsonSchema }, { [keyword]: valibotAction.requirement })
      : undefined;
  },
};

function omitFormat({ format, ...schema }: JsonSchema): JsonSchema {
  return schema;
}

/** Returns the named schemas as JSON Schema: what they accept, or, as `output`, what they return. */
export function schemasOf(typeMode: 'input' | 'output'): Readonly<Record<string, JsonSchema>> {
  const schemas = Object.entries(toJsonSchemaDefs(named, { ...conversion, typeMode }));
  return Object.fromEntries(
    schemas.map(([name, schema]) => {
      const { properties } = schema;
      return [name, properties ? { ...schema, properties: describeFields(properties, typeMode) } : schema];
    }),
  );
}

/** The named schemas of the interface description. */
export const schemas = schemasOf('input');

/** Converts a schema to JSON Schema; named schemas become references. */
export function jsonSchemaOf(schema: v.GenericSchema): JsonObject {
  const { $schema, $defs, ...rest } = toJsonSchema(schema, { ...conversion, definitions: named });
  return rest;
}

export const jsonContent = ({ schema, example }: Body): JsonObject => ({
  'application/json': { schema: jsonSchemaOf(schema), example },
});

type Properties = NonNullable<JsonSchema['properties']>;

/** Adds descriptions, with defaults as prose: generators make fields with a `default` required. */
function describeFields(properties: Properties, typeMode: 'input' | 'output'): Properties {
  const prose: Readonly<Record<string, string>> = description.fields;
  const described = Object.entries(properties).map(([name, property]) => {
    if (typeof property === 'boolean') return [name, property] as const;
    const { default: fallback, description: own = prose[name], ...schema } = property;
    const hasNone = fallback === undefined || typeMode === 'output';
    const whenOmitted = hasNone ? [] : [`If omitted: \`${stringifyJson(fallback)}\`.`];
    const sentences = [...(own === undefined ? [] : [own]), ...whenOmitted];
    return [name, sentences.length > 0 ? { description: sentences.join(' '), ...schema } : schema] as const;
  });
  return Object.fromEntries(described);
}
