import { PetStoreError } from './client-error.ts';

const parameter = String.raw`\s*;\s*[^\s=;,"]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s;,"]*))?`;
/** A target, and the first `rel` among its parameters (RFC 8288 §3). */
const link = String.raw`<([^<>]*)>(?:${parameter})*?\s*;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))(?:${parameter})*[\s,]*`;
const linkPattern = new RegExp(link, 'gi');

/**
 * Returns the cursor in the link to a list's next page, or undefined after the last one. `visited` are those of
 * the pages so far.
 *
 * @throws {PetStoreError} if no link can be read, or the one to the next page leads nowhere or back, so that a
 * list neither ends early nor goes on forever
 */
export function nextCursorOf(
  response: Response,
  url: string,
  visited: readonly unknown[],
): string | undefined {
  const header = response.headers.get('Link') ?? '';
  const [, target = ''] =
    [...header.matchAll(linkPattern)].find(([, , quoted, token]) =>
      /(?:^|\s)next(?:$|\s)/i.test(quoted ?? token ?? ''),
    ) ?? [];
  const isRead = header.replaceAll(linkPattern, '') === '';
  if (target === '' && isRead) return undefined;
  const cursor = URL.parse(target, url)?.searchParams.get('cursor') ?? '';
  if (cursor !== '' && !visited.includes(cursor)) return cursor;
  const message = 'The link to the next page has no new cursor: check the base URL.';
  throw new PetStoreError('unexpected_response', message, url, response);
}
