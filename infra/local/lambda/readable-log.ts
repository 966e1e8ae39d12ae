import * as v from 'valibot';
import { petCreatedMessage } from '../../../shared/lambda/log.ts';
import { printable, printableLine } from '../../../shared/text/printable.ts';
import { withoutForeignFrames } from '../own-frames.ts';
import type { LogLine } from './log-line.ts';

/** What the service logs. */
const ServiceMessage = v.object({
  message: v.string(),
  requestId: v.optional(v.string()),
  invalid: v.optional(v.string()),
  position: v.optional(v.string()),
  table: v.optional(v.string()),
  key: v.optional(v.string()),
  attributes: v.optional(v.string()),
  error: v.optional(v.unknown()),
});

/** An error as the service or Lambda's runtime logs it. */
const LoggedError = v.object({
  stack: v.optional(v.string()),
  stackTrace: v.optional(v.array(v.string())),
  cause: v.optional(v.unknown()),
});

/**
 * Writes a function's log line to standard error: as JSON, like Lambda, or human-readable, with the function's
 * source if the line has an error.
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-logformat.html
 */
export function writeLogLine(line: LogLine, isReadable: boolean, source?: () => string): void {
  // The readable request line already says so.
  if (isReadable && v.is(v.object({ message: v.literal(petCreatedMessage) }), line.message)) return;
  const text = isReadable
    ? readable(line.level, line.message, source)
    : printableLine(JSON.stringify({ timestamp: new Date().toISOString(), ...line }));
  process.stderr.write(`${text}\n`);
}

/**
 * Returns a function's log message as human-readable lines: an error with its causes, and with the source of the
 * function, because not every error has a stack.
 */
export function readable(level: string, logged: unknown, source?: () => string): string {
  const text = v.is(ServiceMessage, logged) ? serviceText(logged, level, source) : textOf(logged);
  return printable(withoutForeignFrames(`${level} ${text}`));
}

function serviceText(
  logged: v.InferOutput<typeof ServiceMessage>,
  level: string,
  source?: () => string,
): string {
  const { message, requestId, invalid, position, table, key, attributes, error } = logged;
  const mistakes = [invalid, position, attributes].filter(Boolean).join(', ');
  const what = Object.entries({ Table: table, Key: key, Invalid: mistakes }).map(([name, text]) =>
    text ? ` ${name}: ${text}.` : '',
  );
  const request = requestId === undefined ? '' : ` (request ${requestId})`;
  const cause = error === undefined ? '' : `\n${textOf(error)}`;
  const isFailure = error !== undefined || level === 'ERROR';
  const place = isFailure && source !== undefined ? `${source()}: ` : '';
  return `${place}${message}${what.join('')}${request}${cause}`;
}

function textOf(logged: unknown): string {
  if (typeof logged === 'string') return logged;
  const error = v.is(LoggedError, logged) ? logged : undefined;
  const text = error?.stack ?? error?.stackTrace?.join('\n') ?? JSON.stringify(logged);
  return error?.cause === undefined ? text : `${text}\ncaused by ${textOf(error.cause)}`;
}
