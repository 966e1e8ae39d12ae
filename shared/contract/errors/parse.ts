import * as v from 'valibot';
import { ApiError, type ErrorCode } from './error-table.ts';

/**
 * Parses client input. The error's message names the first problem with each field, from its schema or
 * derived from the schema's type.
 *
 * @throws {ApiError} with `code`
 *
 * @example
 * ```ts
 * const Order = v.object({ petId: v.bigint(), status: v.picklist(['placed', 'delivered']) });
 *
 * parse(Order, { status: 'lost' }, 'invalid_body');
 * // ApiError: petId is required. status must be one of placed, delivered.
 * ```
 */
export function parse<const TSchema extends v.GenericSchema>(
  schema: TSchema,
  input: unknown,
  code: ErrorCode,
): v.InferOutput<TSchema> {
  // `describe` is not the `message`, because issues get their path later.
  const { success, output, issues } = v.safeParse(schema, input, { abortPipeEarly: true, message: '' });
  if (success) return output;
  const messages = new Set(issues.map((issue) => issue.message || describe(issue)));
  throw new ApiError(code, [...messages].join(' '));
}

const typeNames: Readonly<Record<string, string>> = {
  array: 'a list',
  bigint: 'an integer',
  boolean: 'true or false',
  object: 'an object',
  string: 'a string',
};

/** Returns the names of the fields that failed to parse, never their values. */
export const invalidFields = (issues: readonly v.BaseIssue<unknown>[]) =>
  [...new Set(issues.map((issue) => v.getDotPath(issue)))].join(', ');

function describe(issue: v.BaseIssue<unknown>): string {
  const { path, type, received, expected } = issue;
  // valibot accepts an array as an object whose fields are all missing.
  if (!path || Array.isArray(path[0].input)) return 'The body must be a JSON object.';
  const name = v.getDotPath(issue);
  if (received === 'undefined') return `${name} is required.`;
  if (typeNames[type]) return `${name} must be ${typeNames[type]}.`;
  // `("placed" | "delivered")`
  if (type === 'picklist') return `${name} must be one of ${[...`${expected}`.matchAll(/\w+/g)].join(', ')}.`;
  return `${name} is invalid: expected ${expected}.`;
}
