import type { TestResponse } from './invoke.ts';

/**
 * Returns the query of a list's next page, from its `Link` header, which may have further links; undefined if there is
 * none to this path.
 */
export function nextQueryOf({ headers }: TestResponse, path: `/${string}`): string | undefined {
  const [, url] = /<([^<>]*)>; rel="next"/.exec(String(headers['Link'])) ?? [];
  const list = `https://pets.example/v1${path}?`;
  return url?.startsWith(list) ? url.slice(list.length) : undefined;
}
