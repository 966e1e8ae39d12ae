import type { APIGatewayProxyEvent } from 'aws-lambda';
import { encodeCursor, type Filter } from '../contract/schemas/page-cursor.ts';
import { absoluteUrl } from './request.ts';

/** Returns the header that links to the page after a position (RFC 8288), with all parameters of this one. */
export function nextPageLink(
  event: Pick<APIGatewayProxyEvent, 'requestContext'>,
  path: `/${string}`,
  { limit, filter, next }: { limit: number; filter: Filter; next: string | undefined },
): { readonly Link?: string } {
  if (next === undefined) return {};
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries({ limit, ...filter, cursor: encodeCursor(next, filter) })) {
    if (value !== undefined) parameters.append(name, `${value}`);
  }
  return { Link: `<${absoluteUrl(event, `${path}?${parameters}`)}>; rel="next"` };
}
