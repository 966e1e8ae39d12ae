import { printable, printableLine } from '../../cli/printable.ts';
import { withoutForeignFrames } from '../own-frames.ts';
import type { Project } from '../project.ts';
import type { InvocationError, LogLine } from './runtime-protocol.ts';

export interface LogSettings {
  readonly project: Project;
  /** Whether the log is human-readable instead of JSON. */
  readonly hasReadableLog?: boolean;
}

export type FunctionLog = ReturnType<typeof functionLog>;

/**
 * Returns what writes the log of a function, which people know by its source, to standard error: as JSON, like
 * Lambda, or readable.
 * https://docs.aws.amazon.com/lambda/latest/dg/monitoring-cloudwatchlogs-logformat.html
 */
export function functionLog(source: string, { project, hasReadableLog: isReadable = false }: LogSettings) {
  const { root, describeLog } = project;
  const write = ({ text: _text, ...line }: LogLine, readable: string) => {
    const written = isReadable
      ? printable(withoutForeignFrames(readable, root))
      : printableLine(JSON.stringify({ timestamp: new Date().toISOString(), ...line }));
    process.stderr.write(`${written}\n`);
  };

  return {
    write(line: LogLine): void {
      const text = describeLog(line.message) ?? line.text;
      // The project may leave a line out.
      if (isReadable && text === '') return;
      write(line, `${line.level} ${source}: ${text}`);
    },

    /** Writes an error that the function did not log itself. */
    writeFailure({ errorType, errorMessage, stackTrace }: InvocationError): void {
      const lines = [`${errorType}: ${errorMessage}`, ...stackTrace];
      const error = { errorType, errorMessage, stackTrace: lines };
      write({ level: 'ERROR', message: { message: source, error } }, `ERROR ${source}: ${lines.join('\n')}`);
    },
  };
}
