import { type AnyError, definitionOf } from '../../shared/contract/errors/error-table.ts';
import { serviceName } from '../../shared/service.ts';

/** How to authenticate (RFC 6750 §3), in every 401. API Gateway and the web ACL send it, never a function. */
export const challenge = { 'WWW-Authenticate': `Bearer realm="${serviceName}"` } as const;

/** Returns the headers specific to an error. */
export function errorHeaders(error: AnyError): Readonly<Record<string, string>> {
  const { status, headers } = definitionOf(error);
  return { ...headers, ...(status === 401 && challenge) };
}
