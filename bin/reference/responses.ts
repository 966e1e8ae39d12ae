import * as v from 'valibot';
import { challenge, errorHeaders } from '../../infra/service/error-headers.ts';
import {
  definitionOf,
  type ErrorDefinition,
  errorBody,
  errorTable,
} from '../../shared/contract/error-table.ts';
import type { Operation, ResponseHeader } from '../../shared/contract/operation.ts';
import { commonErrors, commonHeaders, errorsOf } from '../../shared/contract/operation.ts';
import { deprecationHeaders, successorLink } from '../../shared/http/deprecation.ts';
import { errors } from '../../shared/service.ts';
import { type JsonObject, jsonContent, jsonSchemaOf, mapValues } from './schemas.ts';

type Headers = Readonly<Record<string, ResponseHeader>>;

const text = (description: string, example: ResponseHeader['example'], isRequired = false) => ({
  description,
  schema: v.string(),
  example,
  isRequired,
});
const common = (name: keyof typeof commonHeaders, description: string) =>
  text(description, commonHeaders[name], true);

/** The headers of every response, including errors from API Gateway itself. */
const everyResponse = {
  'Cache-Control': common('Cache-Control', 'Do not cache responses.'),
  'Strict-Transport-Security': common('Strict-Transport-Security', 'The API is served over HTTPS only.'),
  'X-Content-Type-Options': common('X-Content-Type-Options', 'Browsers must not sniff the content type.'),
  'x-amzn-RequestId': text(
    'The id of the request in the logs: quote it when you report a problem.',
    '0048c2e4-0a2e-449c-8915-d07fd29344c9',
    true,
  ),
} as const satisfies Record<keyof typeof commonHeaders | 'x-amzn-RequestId', ResponseHeader>;

/** The headers that the error table prescribes for some errors. */
const errorResponse: Headers = {
  'Retry-After': {
    description: 'Seconds to wait before retrying.',
    schema: v.pipe(v.number(), v.integer(), v.minValue(0), v.metadata({ format: 'int32' })),
    example: Number(errorTable.too_many_requests.headers['Retry-After']),
    isRequired: true,
  },
  'WWW-Authenticate': text('How to authenticate.', challenge['WWW-Authenticate'], true),
};

/** Returns the headers that announce an operation's deprecation; API Gateway's own responses do not have them. */
function announcements({ deprecation }: Operation): Headers {
  if (!deprecation) return {};
  const { Deprecation, Sunset } = deprecationHeaders(deprecation);
  const { successor } = deprecation;
  const link = (baseUrl: string) => successorLink(`${baseUrl}${successor}`);
  return {
    Deprecation: text('When the deprecation takes effect (RFC 9745).', Deprecation),
    Sunset: text('When the operation will be removed (RFC 8594).', Sunset),
    ...(successor && { Link: text('The operation to use instead.', link) }),
  };
}

/** Returns the headers that the responses of operations refer to. */
export function headerComponents(operations: readonly Operation[], baseUrl: string): JsonObject {
  const announced = operations.flatMap((operation) =>
    Object.entries(announcements(operation)).map(([name, header]) => [componentOf(operation, name), header]),
  );
  return describeHeaders({ ...everyResponse, ...errorResponse, ...Object.fromEntries(announced) }, baseUrl);
}

const componentOf = ({ operationId }: Operation, name: string) => `${operationId}${name}`;

const describeHeaders = (headers: Headers, baseUrl: string): JsonObject =>
  mapValues(headers, ({ description, schema, example, isRequired }) => ({
    description,
    ...(isRequired && { required: true }),
    schema: jsonSchemaOf(schema),
    example: typeof example === 'function' ? example(baseUrl) : example,
  }));

/** Returns the responses of an operation, by status. */
export function responsesOf(operation: Operation, baseUrl: string): JsonObject {
  const { success, response } = operation;
  const all = [...errorsOf(operation), ...commonErrors.map(definitionOf)];
  const byStatus = [...Map.groupBy(all, ({ status }) => status)];
  return {
    [success]: {
      description: response.description,
      // A deprecated list has one Link header, which is described as that to the next page.
      headers: { ...headersOf(operation), ...describeHeaders(response.headers, baseUrl) },
      ...('schema' in response && { content: jsonContent(response) }),
    },
    ...Object.fromEntries(
      byStatus.map(([status, ofStatus]) => [status, describeErrors(operation, ofStatus)]),
    ),
    default: {
      description:
        'Any other status. What is in front of the API may send others, with another body or none: such as 400 for a path that is not ASCII, 413 for a body above 10 MiB, 414 for a long path, or another 4xx for headers of more than 10,240 bytes.',
      content: { 'application/json': { schema: errorSchema } },
    },
  };
}

const errorSchema = { $ref: '#/components/schemas/Error' };

function describeErrors(operation: Operation, ofStatus: readonly ErrorDefinition[]): JsonObject {
  const examples = ofStatus.map((error) => [error.code, { value: JSON.parse(errorBody(error)) }]);
  return {
    description: ofStatus.map(inMarkdown).join(' '),
    headers: headersOf(operation, Object.assign({}, ...ofStatus.map(errorHeaders))),
    content: { 'application/json': { schema: errorSchema, examples: Object.fromEntries(examples) } },
  };
}

/** Returns references to the headers of every response of an operation, and to `others`. */
const headersOf = (operation: Operation, others: object = {}): JsonObject => ({
  ...mapValues({ ...everyResponse, ...others }, (_header, name) => referenceTo(name)),
  ...mapValues(announcements(operation), (_header, name) => referenceTo(componentOf(operation, name))),
});

const referenceTo = (name: string) => ({ $ref: `#/components/headers/${name}` });

/** Lists each error code with its status and message, in Markdown. */
export const errorGuide = () => errors.map((error) => `- ${error.status} ${inMarkdown(error)}`).join('\n');

const inMarkdown = ({ code, message }: ErrorDefinition) => `\`${code}\`: ${message.replaceAll('<', '&lt;')}`;
