import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as v from 'valibot';

/** The event of a handler. Its body is any parsed JSON, if the operation has a body. */
export type ApiEvent = Omit<APIGatewayProxyEvent, 'body'> & { readonly body: unknown };

/** The caller, as identified by the authorizer. */
const Caller = v.object({ client: v.string() });

/** Returns the client that owns the API key of a request. */
export function clientOf({ requestContext }: Pick<APIGatewayProxyEvent, 'requestContext'>): string {
  return v.parse(Caller, requestContext.authorizer).client;
}

/** Returns all values of a header, matched case-insensitively, or undefined if it is absent. */
export function headerValues(
  { multiValueHeaders }: Pick<APIGatewayProxyEvent, 'multiValueHeaders'>,
  name: string,
): string[] | undefined {
  const wanted = name.toLowerCase();
  const all = Object.entries(multiValueHeaders).filter(([header]) => header.toLowerCase() === wanted);
  return all[0] && all.flatMap(([, values = []]) => values);
}

/**
 * Returns a path's URL at the host that was called: API Gateway has no other scheme than https, and a client
 * can send X-Forwarded-Proto.
 */
export function absoluteUrl(
  { requestContext: { domainName = '', stage } }: Pick<APIGatewayProxyEvent, 'requestContext'>,
  path: string,
): string {
  return `https://${domainName}/${stage}${path}`;
}
