import { PetStoreError } from './client-error.ts';
import type { WholeResponse } from './fetch-whole.ts';

/**
 * A target, a parameter or a comma of a `Link` header (RFC 8288 §3). Where it does not match, nothing is searched
 * further on, so that a hostile header takes no longer than its length.
 */
const part =
  /\s*(?:<(?<target>[^<>]*)>|;\s*(?<name>[^\s=;,"]+)(?:\s*=\s*(?:"(?<quoted>(?:[^"\\]|\\.)*)"|(?<token>[^\s;,"]+)))?|,)\s*/gy;

/** Returns the target of the link to the next page, undefined if there is none, or null if a link cannot be read. */
function nextTargetIn(header: string): string | undefined | null {
  const links: { readonly target: string; relation?: string }[] = [];
  let end = 0;
  for (const [text, target, name, quoted, token] of header.matchAll(part)) {
    end += text.length;
    const link = links.at(-1);
    if (target !== undefined) links.push({ target });
    // Only the first one counts.
    else if (link && name?.toLowerCase() === 'rel') link.relation ??= quoted ?? token ?? '';
  }
  if (end < header.length || links.some(({ relation }) => relation === undefined)) return null;
  return links.find(({ relation = '' }) => relation.toLowerCase().split(/\s+/).includes('next'))?.target;
}

/**
 * Returns the cursor in the link to a list's next page, or undefined after the last one. `visited` are those of
 * the pages so far.
 *
 * @throws {PetStoreError} if a link cannot be read, or the one to the next page leads nowhere or back, so that a
 * list neither ends early nor goes on forever
 */
export function nextCursorOf(
  { headers }: Pick<WholeResponse, 'headers'>,
  url: string,
  visited: readonly unknown[],
): string | undefined {
  const target = nextTargetIn(headers.get('Link') ?? '');
  if (target === undefined) return undefined;
  const cursor = URL.parse(target ?? '', url)?.searchParams.get('cursor') ?? '';
  if (cursor !== '' && !visited.includes(cursor)) return cursor;
  const message = 'The link to the next page has no new cursor: check the base URL.';
  throw new PetStoreError('unexpected_response', message, { url, status: 200, headers });
}
