import { NormalizedSchema } from '@smithy/core/schema';

type Schema = Parameters<typeof NormalizedSchema.of>[0];

/** Returns why AWS could not give an answer to a command of the SDK, by the schema that its client has. */
export function faultsOfAnswer(command: unknown, answer: object): readonly string[] {
  // The sixth part of an operation's schema is the schema of its output.
  const output: Schema = Reflect.apply(Reflect.get(Object(command), 5), undefined, []);
  return faults(NormalizedSchema.of(output), answer, 'the answer');
}

function faults(schema: NormalizedSchema, value: unknown, path: string): readonly string[] {
  const expected = (isAsExpected: boolean) => (isAsExpected ? [] : [`${path} is ${typeof value}`]);
  if (value === undefined) return [];
  if (schema.isListSchema()) {
    if (!Array.isArray(value)) return [`${path} is no list`];
    return value.flatMap((item, index) => faults(schema.getValueSchema(), item, `${path}[${index}]`));
  }
  if (schema.isMapSchema()) {
    return Object.entries(Object(value)).flatMap(([key, member]) =>
      faults(schema.getValueSchema(), member, `${path}.${key}`),
    );
  }
  if (schema.isStructSchema()) return faultsOfMembers(schema, Object(value), path);
  if (schema.isTimestampSchema()) return expected(value instanceof Date);
  if (schema.isBooleanSchema()) return expected(typeof value === 'boolean');
  if (schema.isNumericSchema()) return expected(typeof value === 'number');
  return schema.isStringSchema() ? expected(typeof value === 'string') : [];
}

function faultsOfMembers(schema: NormalizedSchema, value: object, path: string): readonly string[] {
  const members = Object.keys(schema.getMemberSchemas());
  // The members that a schema requires are its first ones, and its seventh part is their number.
  const required = members.slice(0, Number(Reflect.get(Object(schema.getSchema()), 6) ?? 0));
  const present = Object.entries(value).filter(([, member]) => member !== undefined);
  return [
    ...required
      .filter((name) => !present.some(([own]) => own === name))
      .map((name) => `${path} lacks ${name}`),
    ...present.flatMap(([name, member]) =>
      members.includes(name)
        ? faults(schema.getMemberSchema(name), member, `${path}.${name}`)
        : [`${path} has no ${name}`],
    ),
  ];
}
