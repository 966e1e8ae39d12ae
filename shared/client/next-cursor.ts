import { PetStoreError } from './pet-store-error.ts';

/**
 * Returns the cursor in the link to a list's next page, or undefined after the last one. `visited` are those of
 * the pages so far.
 *
 * @throws {PetStoreError} if the link leads nowhere or back, so that a list neither ends early nor goes on forever
 */
export function nextCursorOf(
  response: Response,
  url: string,
  visited: readonly unknown[],
): string | undefined {
  const [, link] = /<([^<>]*)>; *rel="?next\b/.exec(response.headers.get('Link') ?? '') ?? [];
  if (link === undefined) return undefined;
  const cursor = URL.parse(link, url)?.searchParams.get('cursor') ?? '';
  if (cursor !== '' && !visited.includes(cursor)) return cursor;
  const message = 'The link to the next page has no new cursor: check the base URL.';
  throw new PetStoreError('unexpected_response', message, url, response);
}
