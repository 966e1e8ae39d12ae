import { SourceError } from '../../infra/local/reload/source-error.ts';
import { printable } from '../../infra/local/text/printable.ts';
import { fail } from '../cli/create-command.ts';

/** Ends this process with an error: a mistake in the sources in several lines, any other in one. */
export function stop(error: unknown): never {
  if (error instanceof SourceError) console.error(printable(error.message));
  else fail(error);
  process.exit(1);
}
