import { Console } from 'node:console';
import { format } from 'node:util';
import { petCreatedMessage } from '../../../shared/lambda/log.ts';
import { printableLine } from '../text/printable.ts';
import { readable } from './readable-log.ts';

interface LogLine {
  readonly level: string;
  readonly requestId?: string | undefined;
  readonly message: unknown;
}

/**
 * Writes a line of a function's log to standard error: as JSON, as Lambda does, or for people.
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-logformat.html
 */
export function logLine({ level, requestId, message }: LogLine, isReadable: boolean): void {
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

/** Returns the console of a function. */
export function jsonConsole(requestId: () => string | undefined, isReadable: boolean): Console {
  const lines = new Console(process.stderr);
  for (const method of ['debug', 'info', 'log', 'warn', 'error'] as const) {
    const level = method === 'log' ? 'INFO' : method.toUpperCase();
    lines[method] = (...parts: unknown[]) => {
      const message = parts.length === 1 ? parts[0] : format(...parts);
      logLine({ level, requestId: requestId(), message }, isReadable);
    };
  }
  return lines;
}
