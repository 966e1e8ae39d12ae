import { definitionOf, type ErrorCode, errorBody } from '../../shared/contract/error-table.ts';
import { commonHeaders } from '../../shared/contract/operation.ts';
import { errorHeaders } from './error-headers.ts';

/** AWS WAF's shortest window, and how long a client can stay blocked after it stops. */
export const webAclWindowSeconds = 60;

/**
 * Returns what a client gets whose request the web ACL blocks, in place of a gateway response. The local API needs it
 * without the CDK, which web-acl.ts loads.
 */
export function blockedResponse(error: ErrorCode) {
  const headers: Record<string, string> = { ...commonHeaders, ...errorHeaders(error) };
  if (error === 'too_many_requests') headers['Retry-After'] = `${webAclWindowSeconds}`;
  return { status: definitionOf(error).status, headers, body: errorBody(error) };
}
