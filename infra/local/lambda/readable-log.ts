import * as v from 'valibot';
import { printable } from '../text/printable.ts';

interface LoggedError {
  readonly stack: string;
  readonly errors?: readonly LoggedError[] | undefined;
  readonly cause?: LoggedError | undefined;
}

/** An error as functions log it; a thrown value that is not an error is only its text. */
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

/** A fault as a function logs it. */
const Fault = v.object({
  message: v.string(),
  requestId: v.optional(v.string()),
  error: v.optional(LoggedError),
});

/** Returns a message of a function's log as lines for people. */
export function readable(level: string, message: unknown): string {
  const { success, output: fault } = v.safeParse(Fault, message);
  if (!success)
    return printable(`${level} ${typeof message === 'string' ? message : JSON.stringify(message)}`);
  const request = fault.requestId === undefined ? '' : ` (request ${fault.requestId})`;
  const lines = [`${level} ${fault.message}${request}`, ...(fault.error ? linesOf(fault.error) : [])];
  return printable(lines.join('\n'));
}

function linesOf({ stack, errors = [], cause }: LoggedError): string[] {
  return [
    ...stack.split('\n').flatMap(shorten),
    ...errors.flatMap(linesOf),
    ...(cause ? ['  caused by', ...linesOf(cause)] : []),
  ];
}

const project = new URL('../../../', import.meta.url).href;
const foreign = ['node:', 'node_modules/', 'infra/local/lambda/'];

/** Keeps of the frames of a stack those of the project, without the names that a bundle gives to functions. */
function shorten(line: string): string[] {
  if (!line.startsWith('    at ')) return [`  ${line}`];
  const place = line
    .slice(line.lastIndexOf(' ') + 1)
    .replaceAll(/[()]/g, '')
    .replace(project, '');
  const isOfProject = place.includes('/') && !foreign.some((part) => place.includes(part));
  return isOfProject ? [`      at ${place}`] : [];
}
