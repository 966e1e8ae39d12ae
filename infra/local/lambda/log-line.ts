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
export const logLine = (level: string, requestId: string | undefined, args: readonly unknown[]): LogLine => ({
  level,
  requestId,
  message: args.length === 1 ? toJson(args[0]) : format(...args),
});

/** A value that JSON can't represent, such as a bigint, is formatted. */
function toJson(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value, replaceError) ?? 'null');
  } catch {
    return format(value);
  }
}

function replaceError(_key: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  const stackTrace = value.stack?.split('\n') ?? [];
  return { errorType: value.constructor.name, errorMessage: value.message, stackTrace, ...value };
}
