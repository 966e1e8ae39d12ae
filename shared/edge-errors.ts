import { type AnyError, definitionOf, type ErrorCode, errorBody } from './contract/error-table.ts';
import { commonHeaders } from './contract/operation.ts';
import { serviceName } from './service.ts';

// What API Gateway and the web ACL respond with, before any function.

/** How to authenticate (RFC 6750 §3), in every 401, which no function sends. */
export const challenge = { 'WWW-Authenticate': `Bearer realm="${serviceName}"` } as const;

/** Returns the headers specific to an error. */
export function errorHeaders(error: AnyError): Readonly<Record<string, string>> {
  const { status, headers } = definitionOf(error);
  return { ...headers, ...(status === 401 && challenge) };
}

/** AWS WAF's shortest window, and how long a client can stay blocked after it stops. */
export const webAclWindowSeconds = 60;

/** Returns what a client gets from the web ACL: an error of the contract, which overrides the gateway response. */
export function blockedResponse(error: ErrorCode) {
  const retry = error === 'too_many_requests' && { 'Retry-After': `${webAclWindowSeconds}` };
  return {
    status: definitionOf(error).status,
    headers: { ...commonHeaders, ...errorHeaders(error), ...retry },
    body: errorBody(error),
  };
}
