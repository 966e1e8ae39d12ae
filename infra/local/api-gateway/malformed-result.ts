import * as v from 'valibot';
import { printableLine } from '../text/printable.ts';

/** Prints which parts of a function's result are wrong, and how. It prints no text of a result: it may be secret. */
export function reportMalformedResult(source: string, issues: readonly v.BaseIssue<unknown>[]): void {
  const mistakes = issues.map((issue) => {
    const mistake = issue.message.replace(/(received) ".*"$/is, '$1 text');
    return `${v.getDotPath(issue) ?? 'the result'}: ${mistake}`;
  });
  console.error(printableLine(`ERROR ${source} returned a malformed result: ${mistakes.join(', ')}.`));
}
