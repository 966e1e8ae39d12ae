import * as v from 'valibot';
import { printableLine } from '../../cli/printable.ts';

/** Prints which parts of a function's result are wrong, and how. It prints no text of a result: it may be secret. */
export function reportMalformedResult(source: string, issues: readonly v.BaseIssue<unknown>[]): void {
  const mistakes = issues.map(mistakeOf).join(', ');
  console.error(printableLine(`ERROR ${source} returned a malformed result: ${mistakes}.`));
}

function mistakeOf(issue: v.BaseIssue<unknown>): string {
  const { expected, input, message } = issue;
  const path = v.getDotPath(issue);
  if (path === null && input === null) return 'the handler returned nothing';
  const place = path ?? 'the result';
  if (expected === 'never') return `${place} is unknown`;
  if (input === undefined) return `${place} is missing`;
  // The message is that of the schema, if nothing else is expected.
  const wanted = (expected ?? message)
    .replaceAll(/[()]/g, '')
    .replaceAll(/\b(Object|Array)\b/g, (name) => `an ${name.toLowerCase()}`);
  return `${place} is ${kindOf(input)} instead of ${wanted.replaceAll(' | ', ' or ')}`;
}

/** Numbers are statuses, and not secret. */
function kindOf(value: unknown): string {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return `${value}`;
  return Array.isArray(value) ? 'an array' : typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
