import * as v from 'valibot';
import { petCreatedMessage } from '../../../shared/lambda/log.ts';
import { printable, printableLine } from '../text/printable.ts';
import type { LogLine } from './log-line.ts';

/** What the service logs: `error` is a fault with its errors and causes. */
const ServiceMessage = v.object({
  message: v.string(),
  requestId: v.optional(v.string()),
  error: v.optional(v.unknown()),
});

/** An error as the service or Lambda's runtime logs it. */
const LoggedError = v.object({
  stack: v.optional(v.string()),
  stackTrace: v.optional(v.array(v.string())),
  errors: v.optional(v.array(v.unknown()), []),
  cause: v.optional(v.unknown()),
});

/**
 * Writes a function's log line to standard error: as JSON, like Lambda, or human-readable.
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-logformat.html
 */
export function writeLogLine(line: LogLine, isReadable: boolean): void {
  // The readable request line already says so.
  if (isReadable && v.is(v.object({ message: v.literal(petCreatedMessage) }), line.message)) return;
  const text = isReadable
    ? readable(line.level, line.message)
    : printableLine(JSON.stringify({ timestamp: new Date().toISOString(), ...line }));
  process.stderr.write(`${text}\n`);
}

/** Returns a function's log message as human-readable lines. A fault is shown with its errors. */
export function readable(level: string, logged: unknown): string {
  const { success, output } = v.safeParse(ServiceMessage, logged);
  if (!success) return printable(`${level} ${linesOf(logged).join('\n').trimStart()}`);
  const { message, requestId, error } = output;
  const request = requestId === undefined ? '' : ` (request ${requestId})`;
  const lines = error === undefined ? [] : linesOf(error);
  return printable([`${level} ${message}${request}`, ...lines].join('\n'));
}

/** Returns the lines of an error, or the text of any other value. */
function linesOf(logged: unknown): string[] {
  const { success, output } = v.safeParse(LoggedError, logged);
  const text = typeof logged === 'string' ? logged : JSON.stringify(logged);
  if (!success) return [`  ${text}`];
  const { stack = text, stackTrace = stack.split('\n'), errors, cause } = output;
  return [
    ...stackTrace.flatMap(shorten),
    ...errors.flatMap(linesOf),
    ...(cause === undefined ? [] : ['  caused by', ...linesOf(cause)]),
  ];
}

const project = new URL('../../../', import.meta.url).href;
const foreign = ['node:', 'node_modules/', 'infra/local/lambda/'];

/** Keeps only the project's frames of a stack, without the bundle's function names. */
function shorten(line: string): string[] {
  if (!line.startsWith('    at ')) return [`  ${line}`];
  const place = line
    .slice(line.lastIndexOf(' ') + 1)
    .replaceAll(/[()]/g, '')
    .replace(project, '');
  const isOfProject = place.includes('/') && !foreign.some((part) => place.includes(part));
  return isOfProject ? [`      at ${place}`] : [];
}
