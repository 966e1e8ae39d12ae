import { fail } from '../cli/create-command.ts';
import { printable } from '../cli/printable.ts';
import { SourceError } from '../local-api/project.ts';
import { stopWithStarter } from './stop-with-starter.ts';

/** Calls `end` when this process is asked to end, or has lost what started it. */
export function stopOnSignals(end: () => void): void {
  // A terminal that is closed sends SIGHUP.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, end);
  stopWithStarter(end);
  // `npm start | head` stops it, as with other programs.
  for (const output of [process.stdout, process.stderr]) output.on('error', end);
}

/** Ends this process with an error: a mistake in the sources in several lines, any other in one. */
export function stop(error: unknown): never {
  if (error instanceof SourceError) console.error(printable(error.message));
  else fail(error);
  process.exit(1);
}
