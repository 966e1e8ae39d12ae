import { linkTarget } from './link-header.ts';
import { PetStoreError } from './pet-store-error.ts';

/** The page that a link leads to. */
interface NextPage {
  /** With the question mark. */
  readonly query: string;
  readonly cursor: string;
}

/**
 * Returns the next page of a list, or undefined after the last one. Only the query of the link counts: the base
 * address stays the one that gets the key. `pageOf` has the cursors of the list so far, each with the number of
 * the page that it led on from.
 *
 * @throws {PetStoreError} if the link leads nowhere or back, so that a list neither ends early nor goes on forever
 */
export function nextPageOf(
  response: Response,
  url: string,
  pageOf: Map<string, number>,
  page: number,
): NextPage | undefined {
  const link = linkTarget(response.headers.get('Link') ?? '', 'next');
  if (link === undefined) return undefined;
  const query = URL.parse(link, url)?.search ?? '';
  const cursor = new URLSearchParams(query).get('cursor') ?? '';
  const earlier = pageOf.get(cursor) ?? page;
  if (cursor === '' || earlier < page) {
    const message = 'The link to the next page has no new cursor: check the base URL.';
    throw new PetStoreError('unexpected_response', message, url, response);
  }
  pageOf.set(cursor, page);
  return { query, cursor };
}
