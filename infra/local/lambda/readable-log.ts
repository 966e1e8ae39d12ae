import * as v from 'valibot';
import { printable } from '../text/printable.ts';

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

/** What a function says of a fault. */
const Fault = v.object({
  message: v.string(),
  requestId: v.optional(v.string()),
  error: v.optional(LoggedError),
});

/** A line of a function's log. */
const Line = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    level: v.string(),
    message: v.union([
      Fault,
      v.pipe(
        v.string(),
        v.transform((message) => ({ message })),
      ),
    ]),
  }),
);

/** A line of JSON of a function's log, as lines for a person; whatever else is logged stays as it is. */
export function readable(line: string): string {
  const { success, output } = v.safeParse(Line, line);
  if (!success) return printable(line);

  const { message, requestId, error }: v.InferOutput<typeof Fault> = output.message;
  const request = requestId === undefined ? [] : [`(request ${requestId})`];
  const lines = [[output.level, message, ...request].join(' '), ...(error ? linesOf(error) : [])];
  return printable(lines.join('\n'));
}

function linesOf({ stack, errors = [], cause }: LoggedError): string[] {
  return [
    ...stack.split('\n').map((line) => `  ${line}`),
    ...errors.flatMap(linesOf),
    ...(cause ? ['  caused by', ...linesOf(cause)] : []),
  ];
}
