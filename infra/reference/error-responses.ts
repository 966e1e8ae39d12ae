import { definitionOf, type ErrorDefinition, errorBody } from '../../shared/contract/errors/error-table.ts';
import type { Operation } from '../../shared/contract/operation.ts';
import { commonErrors, errorsOf } from '../../shared/contract/operation.ts';
import { errors } from '../../shared/service.ts';
import { errorHeaders } from '../service/www-authenticate.ts';
import { deprecatedResponse, everyResponse } from './response-headers.ts';
import { type JsonObject, mapValues } from './schemas.ts';

const schema = { $ref: '#/components/schemas/Error' };

const anyOther = {
  description:
    'Any other status. What is in front of the API may send others, with another body or none: such as 400 for a path that is not ASCII, 413 for a body above 10 MiB, 414 for a long path, or 431 for headers of more than 10,240 bytes.',
  content: { 'application/json': { schema } },
};

/** Returns the error responses of an operation, by status. */
export function errorResponsesOf(operation: Operation): JsonObject {
  const all = [...errorsOf(operation), ...commonErrors.map(definitionOf)];
  const responses = [...Map.groupBy(all, ({ status }) => status)].map(([status, errors]) => [
    status,
    errorResponse(operation, errors),
  ]);
  return { ...Object.fromEntries(responses), default: anyOther };
}

function errorResponse(operation: Operation, errors: readonly ErrorDefinition[]): JsonObject {
  const examples = errors.map((error) => [error.code, { value: JSON.parse(errorBody(error)) }]);
  return {
    description: errors.map(({ code, message }) => `\`${code}\`: ${inMarkdown(message)}`).join(' '),
    headers: headersOf(operation, Object.assign({}, ...errors.map(errorHeaders))),
    content: { 'application/json': { schema, examples: Object.fromEntries(examples) } },
  };
}

/** Returns references to the headers of every response of an operation, and to `others`. */
export const headersOf = (operation: Operation, others: object = {}): JsonObject => ({
  ...mapValues({ ...everyResponse, ...others }, (_header, name) => referenceTo(name)),
  ...mapValues(deprecatedResponse(operation), (_header, name) =>
    referenceTo(`${operation.operationId}${name}`),
  ),
});

const referenceTo = (name: string) => ({ $ref: `#/components/headers/${name}` });

/** Lists every error code in Markdown. */
export const errorGuide = () =>
  errors.map(({ code, status, message }) => `- ${status} \`${code}\`: ${inMarkdown(message)}`).join('\n');

const inMarkdown = (text: string) => text.replaceAll('<', '&lt;');
