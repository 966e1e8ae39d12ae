import { linkTarget } from './link-header.ts';
import { PetStoreError } from './pet-store-error.ts';

const cursorOf = (query: string) => new URLSearchParams(query).get('cursor') ?? undefined;

/**
 * Returns the query of the next page, empty after the last one, and its cursor. Only the query of the link
 * counts: the base address stays the one that gets the key.
 *
 * @throws {PetStoreError} if the link leads nowhere, so that a list neither ends early nor goes on forever
 */
export function nextQuery(response: Response, url: string): { query: string; cursor: string | undefined } {
  const link = linkTarget(response.headers.get('Link') ?? '', 'next');
  if (link === undefined) return { query: '', cursor: undefined };
  const query = URL.parse(link, url)?.search ?? '';
  const cursor = cursorOf(query);
  if (cursor && cursor !== cursorOf(new URL(url).search)) return { query, cursor };
  const message = 'The link to the next page has no new cursor: check the base URL.';
  throw new PetStoreError('unexpected_response', message, url, response);
}
