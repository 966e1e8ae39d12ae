import { type ErrorCode, errorBody, errorTable } from '../../shared/contract/errors/error-table.ts';
import { commonHeaders } from '../../shared/contract/operation.ts';
import { errorHeaders } from './www-authenticate.ts';

/** AWS WAF's shortest window, and how long a client can stay blocked after it stops. */
export const windowSeconds = 60;

/** Returns what a client gets from the web ACL: an error of the contract, which overrides the gateway response. */
export function blockedResponse(error: ErrorCode) {
  const retry = error === 'too_many_requests' && { 'Retry-After': `${windowSeconds}` };
  return {
    status: errorTable[error].status,
    headers: { ...commonHeaders, ...errorHeaders(error), ...retry },
    body: errorBody(error),
  };
}
