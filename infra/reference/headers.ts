import { commonHeaders } from '../../shared/contract/common-headers.ts';
import { type Deprecation, deprecationHeaders } from '../../shared/contract/deprecation.ts';
import { errorTable } from '../../shared/contract/errors/error-table.ts';
import type { ResponseHeader } from '../../shared/contract/operation.ts';
import { type JsonObject, jsonSchemaOf } from './schemas.ts';
import { exampleBaseUrl } from './servers.ts';

/** Headers of a response, by name. */
export type DescribedHeaders = Readonly<Record<string, JsonObject>>;

const text = (description: string, example: string): JsonObject => ({
  description,
  schema: { type: 'string' },
  example,
});

/** The headers, each of which is always there. */
export const required = (headers: DescribedHeaders): DescribedHeaders =>
  Object.fromEntries(Object.entries(headers).map(([name, header]) => [name, { ...header, required: true }]));

const commonHeaderProse: Readonly<Record<string, string>> = {
  'Cache-Control': 'Responses are never to be cached.',
  'Strict-Transport-Security': 'The API is served over HTTPS alone.',
  'X-Content-Type-Options': 'The content type is what it says.',
} as const satisfies Record<keyof typeof commonHeaders, string>;

/** The headers that every response has. */
export const everyResponseHeaders = required({
  ...Object.fromEntries(
    Object.entries(commonHeaders).map(([name, value]) => [name, text(commonHeaderProse[name] ?? '', value)]),
  ),
  'x-amzn-RequestId': text('The name of the request in the logs.', '0048c2e4-0a2e-449c-8915-d07fd29344c9'),
});

/** The headers that errors of some statuses have. */
export const errorStatusHeaders: DescribedHeaders = required({
  'Retry-After': {
    description: 'How many seconds to wait before trying again.',
    schema: { type: 'integer', minimum: 0 },
    example: Number(errorTable.too_many_requests.headers['Retry-After']),
  },
  'WWW-Authenticate': text('How to authenticate.', errorTable.unauthorized.headers['WWW-Authenticate']),
});

/** A header of an operation's success. */
export const successHeader = ({ description, schema, example, isRequired }: ResponseHeader): JsonObject => ({
  description,
  schema: jsonSchemaOf(schema),
  example: typeof example === 'string' ? example : example(exampleBaseUrl),
  ...(isRequired && { required: true }),
});

/** The headers with which a deprecated operation announces its end. */
export function announcement(deprecation: Deprecation): DescribedHeaders {
  const values = deprecationHeaders(deprecation, `${exampleBaseUrl}${deprecation.successor}`);
  return {
    Deprecation: text('Since when the operation is deprecated (RFC 9745).', values.Deprecation),
    Sunset: text('When the operation is removed (RFC 8594).', values.Sunset),
    Link: text('What replaces the operation.', values.Link),
  };
}
