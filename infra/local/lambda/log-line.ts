import { format } from 'node:util';

/** What a function logs. */
export interface LogLine {
  readonly level: string;
  readonly requestId?: string | undefined;
  /** As JSON data, as Lambda writes it. */
  readonly message: unknown;
  /** As Node prints it; only for a readable log. */
  readonly text?: string;
}

/** The functions' application log level is INFO. */
const levelsBelowInfo = ['TRACE', 'DEBUG'];

/**
 * Returns what is logged for the arguments of a console method, if anything is: in JSON, what Lambda's runtime logs.
 * https://github.com/aws/aws-lambda-nodejs-runtime-interface-client/blob/main/src/logging/formatter.ts
 */
export function logLine(
  level: string,
  requestId: string | undefined,
  args: readonly unknown[],
  isReadable: boolean,
): LogLine | undefined {
  const line = { level, requestId, message: args.length === 1 ? toJson(args[0]) : format(...args) };
  if (isReadable) return { ...line, text: format(...args) };
  return levelsBelowInfo.includes(level) ? undefined : line;
}

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
