import type { StartFailure } from '../lambda/lambda-function.ts';
import { withoutForeignFrames } from '../own-frames.ts';
import { SourceError } from './source-error.ts';

/** Returns the error of functions that fail to start. A mistake in a shared module fails several of them. */
export function startError(failures: readonly StartFailure[], root: string): SourceError {
  const handlers = new Map<string, string[]>();
  for (const { handler, error } of failures) {
    const lines = [`${error.errorType}: ${error.errorMessage}`, ...error.stackTrace];
    const text = withoutForeignFrames(lines.join('\n'), root);
    handlers.set(text, [...(handlers.get(text) ?? []), handler]);
  }
  const texts = [...handlers].map(([text, names]) => `${names.toSorted().join(', ')} can't start:\n${text}`);
  return new SourceError(texts.join('\n'));
}
