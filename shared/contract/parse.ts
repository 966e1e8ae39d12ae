import * as v from 'valibot';
import { ApiError, type ErrorCode } from './error-table.ts';

/**
 * Parses client input. The error's message names every invalid field with its first problem: the message of
 * its schema, such as `must be even`, or one derived from the schema's type. The names are also logged.
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
  const { success, output, issues } = v.safeParse(schema, input, {
    abortPipeEarly: true,
    message: problemOf,
  });
  if (success) return output;
  const details = { invalid: invalidFields(issues) };
  // An array in place of an object has an issue for each field.
  const problems = new Set(issues.map(messageOf));
  throw new ApiError(code, [...problems].join(' '), { details });
}

/** Returns the names of the fields that failed to parse, never their values. */
export const invalidFields = (issues: readonly v.BaseIssue<unknown>[]) =>
  [...new Set(issues.map((issue) => v.getDotPath(issue)))].filter((path) => path !== null).join(', ');

const notObject = 'must be a JSON object';

function messageOf(issue: v.BaseIssue<unknown>): string {
  // valibot accepts an array as an object whose fields are all missing.
  if (Array.isArray(issue.path?.[0].input)) return `The body ${notObject}.`;
  return `${v.getDotPath(issue) ?? 'The body'} ${issue.message}.`;
}

/** Describes what is wrong for a schema without a message of its own. */
function problemOf({ type, received, expected }: v.BaseIssue<unknown>): string {
  if (received === 'undefined') return 'is required';
  if (expected === 'Object') return notObject;
  if (type === 'picklist') return `must be one of ${optionsOf(`${expected}`).join(', ')}`;
  return `is invalid: expected ${expected}`;
}

/** Returns the values in what valibot expects of a picklist, such as `("placed" | "on hold")`. */
const optionsOf = (expected: string) => expected.replaceAll(/^\(?"|"\)?$/g, '').split('" | "');
