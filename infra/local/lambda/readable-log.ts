import { petCreatedMessage } from '../../../shared/lambda/log.ts';
import { printable, printableLine } from '../text/printable.ts';

/** A line of a function's log. */
export interface LogLine {
  readonly level: string;
  readonly requestId?: string | undefined;
  /** JSON. */
  readonly message: unknown;
}

/**
 * Writes a line of a function's log to standard error: as JSON, as Lambda does, or for people.
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-logformat.html
 */
export function writeLogLine({ level, requestId, message }: LogLine, isReadable: boolean): void {
  // For people, the line of the request says so.
  if (isReadable && Object(message).message === petCreatedMessage) return;
  const line = isReadable
    ? readable(level, message)
    : printableLine(JSON.stringify({ timestamp: new Date().toISOString(), level, requestId, message }));
  process.stderr.write(`${line}\n`);
}

/** Returns a message of a function's log as lines for people. A fault is shown with its errors. */
export function readable(level: string, logged: unknown): string {
  const { message, requestId, error } = Object(logged);
  if (typeof message !== 'string') {
    return printable(`${level} ${typeof logged === 'string' ? logged : JSON.stringify(logged)}`);
  }
  const request = requestId === undefined ? '' : ` (request ${requestId})`;
  return printable([`${level} ${message}${request}`, ...linesOf(error)].join('\n'));
}

/** Returns the lines of an error as functions log it; a thrown value that is not an error is only its text. */
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
