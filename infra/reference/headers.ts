import { commonHeaders } from '../../shared/contract/common-headers.ts';
import { errorTable } from '../../shared/contract/error-table.ts';
import { getPet } from '../../shared/contract/operations.ts';
import { examplePet, type JsonObject } from './schemas.ts';

/** An address such as a deployed stage has. */
export const exampleBaseUrl = 'https://abcdefghij.execute-api.eu-west-1.amazonaws.com/v1';

const text = (description: string, example: string): JsonObject => ({
  description,
  schema: { type: 'string' },
  example,
});

/** Headers that every answer has. */
export const describedCommonHeaders = {
  'Cache-Control': text('Answers are never to be cached.', commonHeaders['Cache-Control']),
  'Strict-Transport-Security': text(
    'The API is served over HTTPS alone.',
    commonHeaders['Strict-Transport-Security'],
  ),
  'X-Content-Type-Options': text(
    'The content type is what it says.',
    commonHeaders['X-Content-Type-Options'],
  ),
  'x-amzn-RequestId': text('The name of the request in the logs.', '0048c2e4-0a2e-449c-8915-d07fd29344c9'),
} as const;

/** Headers that the errors of a status have. */
export const errorStatusHeaders: Readonly<Record<string, JsonObject>> = {
  'Retry-After': {
    description: 'How many seconds to wait before trying again.',
    schema: { type: 'integer', minimum: 0 },
    example: Number(errorTable.too_many_requests.headers['Retry-After']),
  },
  'WWW-Authenticate': text('How to authenticate.', errorTable.unauthorized.headers['WWW-Authenticate']),
};

/** Headers of one operation's success; those that are `required` are always there. */
export const successHeaders = {
  listPets: {
    Link: text(
      'The next page (RFC 8288); absent on the last page.',
      `<${exampleBaseUrl}/pets?limit=20&cursor=MS4uNzkzMjcxMDgwODQ5NjI2Ny4yNDExNDkzNTEx>; rel="next"`,
    ),
  },
  createPet: {
    Location: {
      description: 'The URL of the pet.',
      required: true,
      schema: { type: 'string', format: 'uri' },
      example: `${exampleBaseUrl}/pets/${examplePet.id}`,
    },
    'Idempotency-Replayed': {
      description: 'Present when the request repeats one that was answered before.',
      schema: { type: 'string', const: 'true' },
      example: 'true',
    },
  },
  getPet: {},
} as const satisfies Record<string, Readonly<Record<string, JsonObject>>>;

const { since, sunset, successor } = getPet.deprecation;

/** Headers with which a deprecated operation announces its end. */
export const deprecationHeaders = {
  Deprecation: text('Since when the operation is deprecated (RFC 9745).', `@${Date.parse(since) / 1000}`),
  Sunset: text('When the operation is removed (RFC 8594).', new Date(sunset).toUTCString()),
  Link: text('What replaces the operation.', `<${exampleBaseUrl}${successor}>; rel="successor-version"`),
} as const;
