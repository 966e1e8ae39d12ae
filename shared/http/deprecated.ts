import { type Deprecation, deprecationHeaders } from '../contract/deprecation.ts';
import { ApiError } from '../contract/errors/error-table.ts';
import type { ApiMiddleware } from './api-handler.ts';
import { absoluteUrl } from './request.ts';

/** Adds the deprecation headers to every response. From the sunset on, the operation responds `gone`. */
export function deprecated(deprecation: Deprecation): ApiMiddleware {
  const addHeaders: ApiMiddleware['after'] = ({ event, response }) => {
    const { Link, ...dates } = deprecationHeaders(deprecation, absoluteUrl(event, deprecation.successor));
    if (!response) return;
    // A list has a link of its own, to the next page.
    const links = [response.headers?.['Link'], Link].filter((link) => link !== undefined);
    response.headers = { ...response.headers, ...dates, Link: links.join(', ') };
  };

  return {
    before: () => {
      if (Date.now() >= Date.parse(deprecation.sunset)) throw new ApiError('gone');
    },
    after: addHeaders,
    onError: addHeaders,
  };
}
