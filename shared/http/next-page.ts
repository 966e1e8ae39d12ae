import type { APIGatewayProxyEvent } from 'aws-lambda';
import { encodeCursor, type Filter } from '../contract/schemas/page-cursor.ts';
import { absoluteUrl } from './request.ts';

/** What a page was read with, and the position after which the next one starts, if there is one. */
interface ReadPage {
  readonly limit: number;
  readonly filter: Filter;
  readonly next: string | undefined;
}

/** Returns the header that links to the next page (RFC 8288), with every parameter of this request. */
export function nextPageLink(
  event: Pick<APIGatewayProxyEvent, 'requestContext'>,
  path: `/${string}`,
  { limit, filter, next }: ReadPage,
): { readonly Link?: string } {
  if (next === undefined) return {};
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries({ limit, ...filter, cursor: encodeCursor(next, filter) })) {
    if (value !== undefined) parameters.append(name, `${value}`);
  }
  return { Link: `<${absoluteUrl(event, `${path}?${parameters}`)}>; rel="next"` };
}
