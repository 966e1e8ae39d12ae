import {
  ErrorBody,
  type ErrorCode,
  errorBody,
  errorHeaders,
  errorTable,
} from '../../shared/contract/errors/error-table.ts';
import type { Operation } from '../../shared/contract/operation.ts';
import { commonErrors } from '../../shared/contract/operations.ts';
import {
  announcement,
  type DescribedHeaders,
  errorStatusHeaders,
  everyResponseHeaders,
  required,
  successHeader,
} from './headers.ts';
import { type JsonObject, jsonSchemaOf } from './schemas.ts';

/** Every response of an operation, by status. */
export function responsesOf({ success, response, errors, deprecation }: Operation): JsonObject {
  const announced = deprecation ? announcement(deprecation) : {};
  const headers = Object.entries(response.headers).map(([name, header]) => [name, successHeader(header)]);
  const codes = Map.groupBy([...errors, ...commonErrors], (code) => errorTable[code].status);

  return {
    [success]: {
      description: response.description,
      headers: { ...everyResponseHeaders, ...Object.fromEntries(headers), ...required(announced) },
      content: { 'application/json': { schema: jsonSchemaOf(response.schema), example: response.example } },
    },
    ...Object.fromEntries(
      [...codes].map(([status, ofStatus]) => {
        // A response of the function itself always announces its end; one of API Gateway in its stead does not.
        const isOwn = ofStatus.some((code) => errors.includes(code));
        return [status, errorResponse(ofStatus, isOwn ? required(announced) : announced)];
      }),
    ),
  };
}

function errorResponse(codes: readonly ErrorCode[], extra: DescribedHeaders): JsonObject {
  const names = new Set(codes.flatMap((code) => Object.keys(errorHeaders(code))));
  const ofStatus = Object.entries(errorStatusHeaders).filter(([name]) => names.has(name));
  return {
    description: codes.map(described).join(' '),
    headers: { ...everyResponseHeaders, ...Object.fromEntries(ofStatus), ...extra },
    content: {
      'application/json': {
        schema: jsonSchemaOf(ErrorBody),
        examples: Object.fromEntries(codes.map((code) => [code, { value: JSON.parse(errorBody(code)) }])),
      },
    },
  };
}

// Descriptions are Markdown.
const described = (code: ErrorCode) => `\`${code}\`: ${errorTable[code].message.replaceAll('<', '&lt;')}`;
