import { petCreatedMessage, requestRejectedMessage } from '../../../shared/lambda/log.ts';
import { printable, printableLine } from '../text/printable.ts';

export interface LogLine {
  readonly level: string;
  readonly requestId?: string | undefined;
  /** JSON. */
  readonly message: unknown;
}

/**
 * Writes a function's log line to standard error: as JSON, like Lambda, or human-readable.
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-logformat.html
 */
export function writeLogLine({ level, requestId, message }: LogLine, isReadable: boolean): void {
  // The readable request line already says so.
  if (isReadable && [petCreatedMessage, requestRejectedMessage].includes(Object(message).message)) return;
  const line = isReadable
    ? readable(level, message)
    : printableLine(JSON.stringify({ timestamp: new Date().toISOString(), level, requestId, message }));
  process.stderr.write(`${line}\n`);
}

/** Returns a function's log message as human-readable lines. A fault is shown with its errors. */
export function readable(level: string, logged: unknown): string {
  const { message, requestId, error } = Object(logged);
  if (typeof message !== 'string') {
    return printable(`${level} ${typeof logged === 'string' ? logged : JSON.stringify(logged)}`);
  }
  const request = requestId === undefined ? '' : ` (request ${requestId})`;
  return printable([`${level} ${message}${request}`, ...linesOf(error)].join('\n'));
}

/** Returns the lines of an error as functions log it, or the text of any other thrown value. */
function linesOf(error: unknown): string[] {
  if (error === undefined) return [];
  const { stack = error, errors = [], cause } = Object(error);
  return [
    ...String(stack).split('\n').flatMap(shorten),
    ...[errors].flat().flatMap(linesOf),
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
