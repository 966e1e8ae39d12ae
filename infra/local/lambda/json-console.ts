import { Console } from 'node:console';
import { format } from 'node:util';
import { printableLine } from '../text/printable.ts';

/**
 * A console that writes lines of JSON to standard error, as Lambda does with what a function logs, or what `toText` makes
 * of them.
 */
export function jsonConsole(
  requestId: () => string | undefined,
  toText: (line: string) => string = printableLine,
): Console {
  const lines = new Console(process.stderr);
  for (const level of ['debug', 'info', 'log', 'warn', 'error'] as const) {
    lines[level] = (...parts: unknown[]) => {
      const line = {
        timestamp: new Date().toISOString(),
        level: level === 'log' ? 'INFO' : level.toUpperCase(),
        requestId: requestId(),
        message: parts.length === 1 ? parts[0] : format(...parts),
      };
      process.stderr.write(`${toText(JSON.stringify(line))}\n`);
    };
  }
  return lines;
}
