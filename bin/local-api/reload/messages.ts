import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { printable, printableLine } from '../../cli/printable.ts';
import type { StartFailure } from '../lambda/lambda-function.ts';
import { withoutForeignFrames } from '../own-frames.ts';
import { SourceError } from '../project.ts';

/** How many files a message names: a checkout may change hundreds. */
const maxNames = 6;

/** Names files, which may contain anything. */
export function namesOf(files: readonly string[], root: string): string {
  const names = files
    .toSorted()
    .slice(0, maxNames)
    .map((file) => (existsSync(join(root, file)) ? file : `${file} (removed)`));
  const others = files.length - maxNames;
  return printableLine(`${names.join(', ')}${others > 0 ? ` and ${others} more` : ''}`);
}

/** Says why changes are not served, and what is served instead. */
export function reportMistake(error: unknown, names: string, isServing: boolean): void {
  console.error(printable(error instanceof Error ? error.message : String(error)));
  console.error(
    isServing ? `Not reloaded: ${names}. The last good version serves.` : 'Waiting for a change.',
  );
}

/** Functions did not start in time, as on a machine that is busy. */
export class StartTimeout extends SourceError {}

/** Returns the error of functions that fail to start. A mistake in a shared module fails several of them. */
export function startError(failures: readonly StartFailure[], root: string): SourceError {
  const handlers = Map.groupBy(failures, ({ error: { errorType, errorMessage, stackTrace } }) =>
    withoutForeignFrames([`${errorType}: ${errorMessage}`, ...stackTrace].join('\n'), root),
  );
  const texts = [...handlers].map(([text, failed]) => {
    const names = failed.map(({ handler }) => handler).toSorted();
    return `${names.join(', ')} can't start:\n${text}`;
  });
  const isTimeout = failures.some(({ error }) => error.errorType === 'Sandbox.Timedout');
  return isTimeout
    ? new StartTimeout([...texts, 'Trying again.'].join('\n'))
    : new SourceError(texts.join('\n'));
}
