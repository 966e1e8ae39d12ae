import { Writable } from 'node:stream';
import * as v from 'valibot';
import { printable } from '../printable.ts';

interface LoggedError {
  readonly stack: string;
  readonly errors?: readonly LoggedError[] | undefined;
  readonly cause?: LoggedError | undefined;
}

/** An error as functions log it; of what is thrown and is none, there is only its text. */
const LoggedError: v.GenericSchema<unknown, LoggedError> = v.union([
  v.pipe(
    v.string(),
    v.transform((stack) => ({ stack })),
  ),
  v.object({
    stack: v.string(),
    errors: v.optional(v.array(v.lazy(() => LoggedError))),
    cause: v.optional(v.lazy(() => LoggedError)),
  }),
]);

/** A line of a function's log. */
const Line = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    level: v.string(),
    message: v.string(),
    requestId: v.optional(v.string()),
    error: v.optional(LoggedError),
  }),
);

/** A stream that puts what a function logs, a line of JSON at a time, into lines for a person. */
export const readableLog = (output: Writable): Writable =>
  new Writable({
    decodeStrings: false,
    write: (line, _encoding, done) => output.write(readable(String(line)), done),
  });

/** A line of a function's log for a person; whatever else is logged stays as it is. */
export function readable(line: string): string {
  const { success, output } = v.safeParse(Line, line);
  if (!success) return line;

  const { level, message, requestId, error } = output;
  const head = [level, message, ...(requestId === undefined ? [] : [`(request ${requestId})`])].join(' ');
  return `${printable([head, ...(error ? linesOf(error) : [])].join('\n'))}\n`;
}

function linesOf({ stack, errors = [], cause }: LoggedError): string[] {
  return [
    ...stack.split('\n').map((line) => `  ${line}`),
    ...errors.flatMap(linesOf),
    ...(cause ? ['  caused by', ...linesOf(cause)] : []),
  ];
}
