import * as v from 'valibot';
import { ApiError } from './api-error.ts';
import type { ErrorCode } from './error-table.ts';

/**
 * Parses what a client sent.
 *
 * @throws {ApiError} with `code`, its message made of the first problem of each field
 */
export function parse<const TSchema extends v.GenericSchema>(
  schema: TSchema,
  input: unknown,
  code: ErrorCode,
): v.InferOutput<TSchema> {
  const { success, output, issues } = v.safeParse(schema, input, { abortPipeEarly: true });
  if (success) return output;
  const messages = new Set(issues.map(({ message }) => message));
  throw new ApiError(code, [...messages].join(' '));
}
