import * as v from 'valibot';
import type { OptionalParameter, ResponseHeader } from '../contract/operation.ts';

/** The bounds and the default of the page size. */
export const pageSize = { minimum: 1, maximum: 100, default: 20 } as const;

const digits = 'in digits without leading zeros';
const limitMessage = `must be an integer from ${pageSize.minimum} to ${pageSize.maximum}, ${digits}`;

/** The query parameters of every list. */
export const pageQuery = {
  limit: {
    description: `Maximum number of items to return, ${digits}.`,
    schema: v.pipe(
      v.number(limitMessage),
      v.integer(limitMessage),
      v.minValue(pageSize.minimum, limitMessage),
      v.maxValue(pageSize.maximum, limitMessage),
      v.metadata({ format: 'int32' }),
    ),
    default: pageSize.default,
    example: pageSize.default,
  },
  cursor: {
    description: 'Where the page starts. Opaque: take it from the `Link` header of the previous page.',
    // Only described: the list that the cursor is for checks it.
    schema: v.pipe(v.string(), v.metadata({ pattern: '^[\\w-]+$', minLength: 1, maxLength: 512 })),
  },
} as const satisfies Record<string, OptionalParameter>;

/** The headers of every list; its example links to the page at `cursor`. */
export const nextPage = (path: `/${string}`, cursor: string) =>
  ({
    Link: {
      description: 'The next page (RFC 8288); absent on the last page.',
      schema: v.string(),
      example: (baseUrl) => `<${baseUrl}${path}?limit=${pageSize.default}&cursor=${cursor}>; rel="next"`,
    },
  }) satisfies Record<string, ResponseHeader>;

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
  return { Link: `<${url}?${queryOf({ ...same, cursor })}>; rel="next"` };
}

/** Returns all parameters but the undefined ones. What is empty or null is sent, so that the API rejects it. */
export function queryOf(parameters: PageQuery): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) query.append(name, `${value}`);
  }
  return query;
}
