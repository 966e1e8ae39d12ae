import { apiCompare, breaking } from 'api-smart-diff';

/**
 * Lists the changes between two versions of the interface description that break a client, one line each. A component counts
 * where it is used: what is added to a request may break a client, what is added to a response does not.
 */
export function breakingChanges(before: unknown, after: unknown): string[] {
  const { diffs } = apiCompare(before, after);
  return diffs
    .filter(({ type, path: [section] }) => type === breaking && section !== 'components')
    .map(({ action, path }) => `${action} ${path.join(' ')}`);
}
