import { type ErrorCode, errorBody, errorHeaders, errorTable } from '../../shared/contract/error-table.ts';
import { pageSize } from '../../shared/contract/list-pets-query.ts';
import { commonErrors, type Operation } from '../../shared/contract/operations.ts';
import { deprecationHeaders, describedCommonHeaders, errorStatusHeaders, successHeaders } from './headers.ts';
import { prose } from './prose.ts';
import { examplePet, type JsonObject } from './schemas.ts';

type DescribedOperation = Operation & { readonly operationId: keyof typeof successHeaders };
type Headers = Readonly<Record<string, JsonObject>>;

/** Everything that an operation can answer, by status. */
export function responsesOf(operation: DescribedOperation): JsonObject {
  const { operationId } = operation;
  const codes: readonly ErrorCode[] = [...operation.errors, ...commonErrors];
  const byStatus = Map.groupBy(codes, (code) => errorTable[code].status);
  const announced = operation.deprecation ? deprecationHeaders : {};

  const errors = [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, ofStatus]) => {
      // What an operation answers itself always announces its end; what is answered in its stead does not.
      const isOwn = ofStatus.some((code) => operation.errors.includes(code));
      return [`${status}`, errorResponse(ofStatus, isOwn ? required(announced) : announced)];
    });
  return {
    [operation.success]: successResponse(operationId, {
      ...successHeaders[operationId],
      ...required(announced),
    }),
    ...Object.fromEntries(errors),
  };
}

function successResponse(operationId: DescribedOperation['operationId'], headers: Headers): JsonObject {
  const one = { $ref: '#/components/schemas/Pet' };
  const isList = operationId === 'listPets';
  return {
    description: prose.operations[operationId].success,
    headers: { ...required(describedCommonHeaders), ...headers },
    content: {
      'application/json': isList
        ? { schema: { type: 'array', items: one, maxItems: pageSize.maximum }, example: [examplePet] }
        : { schema: one, example: examplePet },
    },
  };
}

function errorResponse(codes: readonly ErrorCode[], extra: Headers): JsonObject {
  const names = new Set(codes.flatMap((code) => Object.keys(errorHeaders(code))));
  const ofStatus = Object.entries(errorStatusHeaders).filter(([name]) => names.has(name));
  return {
    description: codes.map(described).join(' '),
    headers: { ...required(describedCommonHeaders), ...required(Object.fromEntries(ofStatus)), ...extra },
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: Object.fromEntries(codes.map((code) => [code, { value: JSON.parse(errorBody(code)) }])),
      },
    },
  };
}

// Descriptions are Markdown.
const described = (code: ErrorCode) => `\`${code}\`: ${errorTable[code].message.replaceAll('<', '&lt;')}`;

const required = (headers: Headers): Headers =>
  Object.fromEntries(Object.entries(headers).map(([name, header]) => [name, { ...header, required: true }]));
