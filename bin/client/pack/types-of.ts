import type { JsonSchema } from '@valibot/to-json-schema';

type Definition = JsonSchema | boolean;

/** JSON Schemas by the names with which they refer to each other. */
type Schemas = Readonly<Record<string, JsonSchema>>;

/**
 * Returns the declaration of a type for each schema, with `readonly` fields and their descriptions. A list of values
 * that later versions of the API may extend (`x-extensible-enum`) stays open.
 *
 * @throws {Error} if no type is known for a kind of schema
 */
export function typesOf(schemas: Schemas): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const type = typeOf(schema, '');
      return [name, type.startsWith('{') ? `interface ${name} ${type}` : `type ${name} = ${type};`];
    }),
  );

  /** Returns a type, whose lines after the first are indented. */
  function typeOf(schema: Definition, indent: string): string {
    if (typeof schema === 'boolean') return 'unknown';
    if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? '';
    const values = valuesOf(schema);
    if (values) return values.join(' | ');
    const either = schema.anyOf ?? schema.oneOf;
    if (either) return either.map((one) => typeOf(one, indent)).join(' | ');
    const types = [schema.type ?? []].flat();
    if (types.length > 0) return types.map((type) => typeNamed(type, schema, indent)).join(' | ');
    return 'unknown';
  }

  function typeNamed(type: string, schema: JsonSchema, indent: string): string {
    const { items, properties, additionalProperties, format } = schema;
    if (type === 'object' && properties) return fields(schema, indent);
    if (type === 'object') return `Readonly<Record<string, ${typeOf(additionalProperties ?? true, indent)}>>`;
    if (type === 'array' && !Array.isArray(items)) return `readonly (${typeOf(items ?? true, indent)})[]`;
    // The client reads every integer as a bigint.
    if (type === 'integer' && format === 'int64') return 'bigint';
    if (['string', 'number', 'integer', 'boolean', 'null'].includes(type))
      return type.replace('integer', 'number');
    throw new Error(`bin/client/pack/types-of.ts knows no type for ${JSON.stringify(schema)}: add one.`);
  }

  function fields({ properties = {}, required = [] }: JsonSchema, indent: string): string {
    const lines = Object.entries(properties).map(([name, schema]) => {
      const { description } = typeof schema === 'boolean' ? {} : schema;
      const comment =
        description === undefined ? '' : `${indent}    /** ${description.replaceAll('*/', '*')} */\n`;
      const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
      return `${comment}${indent}    readonly ${key}${required.includes(name) ? '' : '?'}: ${typeOf(schema, `${indent}    `)};\n`;
    });
    return `{\n${lines.join('')}${indent}}`;
  }
}

/** Returns the types of the values to which a schema is limited, or which it knows of an open list. */
function valuesOf(schema: JsonSchema): readonly string[] | undefined {
  if (schema.const !== undefined) return [literal(schema.const)];
  if (schema.enum) return schema.enum.map(literal);
  if (!('x-extensible-enum' in schema)) return undefined;
  // An editor suggests the known values, as it would not for a mere string.
  return [...[schema['x-extensible-enum']].flat().map(literal), '(string & {})'];
}

const literal = (value: unknown) =>
  typeof value === 'string' ? `'${value.replaceAll(/['\\]/g, '\\$&')}'` : JSON.stringify(value);
