import { petCreatedMessage } from '../../../shared/lambda/log.ts';
import { printableLine } from '../text/printable.ts';
import { readable } from './readable-log.ts';

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
  if (isReadable && isCreate(message)) return;
  const line = isReadable
    ? readable(level, message)
    : printableLine(JSON.stringify({ timestamp: new Date().toISOString(), level, requestId, message }));
  process.stderr.write(`${line}\n`);
}

const isCreate = (message: unknown) =>
  typeof message === 'object' &&
  message !== null &&
  'message' in message &&
  message.message === petCreatedMessage;
