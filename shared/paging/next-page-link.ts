/** The query of a list, as `parse` returns it. */
type PageQuery = Readonly<Record<string, string | number | bigint | undefined>>;

/**
 * Returns the header that links to the page that starts at a cursor, with the same query (RFC 8288), unless
 * this is the last one.
 *
 * @param url - the absolute URL of the list
 */
export function nextPageLink(url: string, query: PageQuery, cursor: string | undefined): { Link?: string } {
  if (cursor === undefined) return {};
  const { cursor: _current, ...same } = query;
  const next = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...same, cursor })) {
    if (value !== undefined) next.append(name, `${value}`);
  }
  return { Link: `<${url}?${next}>; rel="next"` };
}
