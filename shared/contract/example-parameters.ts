import type { Operation, OptionalParameter, Parameter } from './operation.ts';

/** The texts of parameters, by name. */
export type Examples = Readonly<Record<string, string>>;

/** Returns example queries of an operation: what it requires, by itself and with each other parameter. */
export function queriesOf({ parameters }: Operation): readonly Examples[] {
  const required = requiredOf(parameters.query);
  const others = Object.entries(examplesOf(parameters.query)).filter(([name]) => !(name in required));
  const { query } = parameters;
  return [
    required,
    ...others.map(([name, value]) => ({ ...required, ...query?.[name]?.exampleWith, [name]: value })),
  ];
}

/** Returns an example of each parameter that every request must have. */
export const requiredOf = (parameters: Readonly<Record<string, OptionalParameter>> = {}): Examples =>
  examplesOf(Object.fromEntries(Object.entries(parameters).filter(([, { isRequired }]) => isRequired)));

/** Returns a query as it is in a URL, with its question mark if it has parameters. */
export const textOf = (query: Examples) =>
  Object.keys(query).length > 0 ? `?${new URLSearchParams(query)}` : '';

/** Returns the text of an example of each parameter that has one. */
export const examplesOf = (parameters: Readonly<Record<string, Parameter>> = {}): Examples =>
  Object.fromEntries(
    Object.entries(parameters).flatMap(([name, parameter]) => {
      const value = exampleOf(parameter);
      return value === undefined ? [] : [[name, `${value}`]];
    }),
  );

/** Returns the example of a parameter, if there is one; of an enumeration, the first value. */
export function exampleOf({ schema, example }: Parameter): unknown {
  const [first] = 'options' in schema && Array.isArray(schema.options) ? schema.options : [];
  return example ?? first;
}
