import type { APIGatewayProxyEvent } from 'aws-lambda';
import { type NextPage, nextPageTarget } from '../contract/schemas/next-page-target.ts';
import { absoluteUrl } from './request.ts';

/**
 * Returns the header that links to the page after a position (RFC 8288), unless this is the last one.
 *
 * @example
 * ```ts
 * nextPageLink(event, '/customers/{customerId}/orders', { limit, filter: { customerId, status }, next });
 * ```
 */
export function nextPageLink<const Path extends `/${string}`>(
  event: Pick<APIGatewayProxyEvent, 'requestContext'>,
  path: Path,
  { next, ...page }: Omit<NextPage<Path>, 'next'> & { readonly next: string | undefined },
): { readonly Link?: string } {
  if (next === undefined) return {};
  return { Link: `<${absoluteUrl(event, nextPageTarget<Path>(path, { ...page, next }))}>; rel="next"` };
}
