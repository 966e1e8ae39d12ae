import type { APIGatewayProxyEvent } from 'aws-lambda';
import * as v from 'valibot';
import type { OperationPath } from '../contract/operations.ts';

/** Who called: what the authorizer found out about the API key. */
const Caller = v.object({ client: v.string(), keyId: v.string() });

/** The client that owns the API key of a request. */
export function clientOf({ requestContext }: APIGatewayProxyEvent): string {
  return v.parse(Caller, requestContext.authorizer).client;
}

/** All values of a header, in whatever case it was sent; undefined when the request does not have it. */
export function headerValues(
  { multiValueHeaders }: APIGatewayProxyEvent,
  name: string,
): string[] | undefined {
  const wanted = name.toLowerCase();
  const all = Object.entries(multiValueHeaders).filter(([header]) => header.toLowerCase() === wanted);
  return all[0] && all.flatMap(([, values = []]) => values);
}

/** The absolute URL of a path below the base address, at the host and the stage that the client called. */
export function absoluteUrl(event: APIGatewayProxyEvent, path: OperationPath): string {
  const isHttp = headerValues(event, 'X-Forwarded-Proto')?.[0] === 'http';
  const { domainName, stage } = event.requestContext;
  return `${isHttp ? 'http' : 'https'}://${domainName}/${stage}${path}`;
}
