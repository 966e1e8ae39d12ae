import * as v from 'valibot';
import { errorTable } from '../../shared/contract/errors/error-table.ts';
import type { Operation, ResponseHeader } from '../../shared/contract/operation.ts';
import { commonHeaders, deprecationHeaders, successorLink } from '../../shared/contract/operation.ts';
import { challenge } from '../service/www-authenticate.ts';

type Example = ResponseHeader['example'];
const text = (description: string, example: Example) => ({ description, schema: v.string(), example });
const always = (description: string, example: string) => ({
  ...text(description, example),
  isRequired: true,
});
const common = (name: keyof typeof commonHeaders, description: string) =>
  always(description, commonHeaders[name]);

/** The headers of every response, including errors from API Gateway itself. */
export const everyResponse = {
  'Cache-Control': common('Cache-Control', 'Do not cache responses.'),
  'Strict-Transport-Security': common('Strict-Transport-Security', 'The API is served over HTTPS only.'),
  'X-Content-Type-Options': common('X-Content-Type-Options', 'Browsers must not sniff the content type.'),
  'x-amzn-RequestId': always(
    'The id of the request in the logs: quote it when you report a problem.',
    '0048c2e4-0a2e-449c-8915-d07fd29344c9',
  ),
} as const satisfies Record<keyof typeof commonHeaders | 'x-amzn-RequestId', ResponseHeader>;

/** The headers that the error table prescribes for some errors. */
export const errorResponse = {
  'Retry-After': {
    description: 'Seconds to wait before retrying.',
    schema: v.pipe(v.number(), v.integer(), v.minValue(0), v.metadata({ format: 'int32' })),
    example: Number(errorTable.too_many_requests.headers['Retry-After']),
    isRequired: true,
  },
  'WWW-Authenticate': always('How to authenticate.', challenge['WWW-Authenticate']),
} as const satisfies Record<string, ResponseHeader>;

type Headers = Readonly<Record<string, ResponseHeader>>;

/** Returns the headers that announce an operation's deprecation; API Gateway's own responses do not have them. */
export function deprecatedResponse({ deprecation }: Operation): Headers {
  if (!deprecation) return {};
  const { Deprecation, Sunset } = deprecationHeaders(deprecation);
  const dates = {
    Deprecation: text('When the deprecation takes effect (RFC 9745).', Deprecation),
    Sunset: text('When the operation will be removed (RFC 8594).', Sunset),
  };
  const { successor } = deprecation;
  if (successor === undefined) return dates;
  const link = (baseUrl: string) => successorLink(`${baseUrl}${successor}`);
  return { ...dates, Link: text('The operation to use instead.', link) };
}

/** Returns two headers of one name as a response has them: joined. */
export const joined = (one: ResponseHeader, other: ResponseHeader): ResponseHeader =>
  text(`${one.description} ${other.description}`, (baseUrl) =>
    [one, other].map(({ example }) => exampleAt(baseUrl, example)).join(', '),
  );

/** Returns the example of a header at a base URL. */
export const exampleAt = (baseUrl: string, example: Example): string | number =>
  typeof example === 'function' ? example(baseUrl) : example;
