import { format } from 'node:util';

/** What Lambda writes to a function's log, as JSON data. */
export interface LogLine {
  readonly level: string;
  readonly requestId?: string | undefined;
  readonly message: unknown;
}

/**
 * Returns what Lambda's runtime logs for the arguments of a console method.
 * https://github.com/aws/aws-lambda-nodejs-runtime-interface-client/blob/main/src/logging/formatter.ts
 */
export function logLine(level: string, requestId: string | undefined, args: readonly unknown[]): LogLine {
  const [message, ...others] = args;
  if (others.length === 0) return { level, requestId, message: toJson(message) };
  const error = others.find((other) => other instanceof Error);
  return { level, requestId, message: format(...args), ...(error && fieldsOf(error)) };
}

/** A value that JSON can't represent, such as a bigint, is formatted. */
function toJson(value: unknown): unknown {
  const replaceError = (_key: string, member: unknown) =>
    member instanceof Error ? { ...fieldsOf(member), ...member } : member;
  try {
    return JSON.parse(JSON.stringify(value, replaceError) ?? 'null');
  } catch {
    return format(value);
  }
}

const fieldsOf = (error: Error) => ({
  errorType: error.constructor.name,
  errorMessage: error.message,
  stackTrace: error.stack?.split('\n') ?? [],
});
