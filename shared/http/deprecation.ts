import { ApiError } from '../contract/error-table.ts';
import type { Deprecation } from '../contract/operation.ts';
import { type ApiMiddleware, absoluteUrl } from './request.ts';

/** Adds the deprecation headers to every response. From the sunset on, the operation responds `gone`. */
export function deprecated(deprecation: Deprecation): ApiMiddleware {
  const addHeaders: ApiMiddleware['after'] = ({ event, response }) => {
    if (!response) return;
    response.headers = { ...response.headers, ...deprecationHeaders(deprecation) };
    if (deprecation.successor === undefined) return;
    const link = successorLink(absoluteUrl(event, deprecation.successor));
    // A list has a link of its own, to the next page.
    const { Link: next } = response.headers;
    response.headers['Link'] = next === undefined ? link : `${next}, ${link}`;
  };

  return {
    before: () => {
      if (Date.now() >= Date.parse(deprecation.sunset)) throw new ApiError('gone');
    },
    after: addHeaders,
    onError: addHeaders,
  };
}

/** Returns the headers that announce a deprecation (RFC 9745, RFC 8594). */
export const deprecationHeaders = ({ since, sunset }: Deprecation) => ({
  Deprecation: `@${Date.parse(since) / 1000}`,
  Sunset: new Date(sunset).toUTCString(),
});

/** Returns the link to what replaces an operation (RFC 5829), from its absolute URL. */
export const successorLink = (url: string) => `<${url}>; rel="successor-version"`;
