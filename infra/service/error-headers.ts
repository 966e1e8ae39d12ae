import { type AnyError, definitionOf } from '../../shared/contract/error-table.ts';
import { serviceName } from '../../shared/service.ts';

/** How to authenticate (RFC 6750 §3), in every 401, which no function sends. */
export const challenge = { 'WWW-Authenticate': `Bearer realm="${serviceName}"` } as const;

/** Returns the headers specific to an error. */
export function errorHeaders(error: AnyError): Readonly<Record<string, string>> {
  const { status, headers = {} } = definitionOf(error);
  return status === 401 ? { ...headers, ...challenge } : headers;
}
