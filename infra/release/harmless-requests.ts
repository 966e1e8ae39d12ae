import * as v from 'valibot';
import { apiKeyHash, generateApiKey, keyIdOf } from '../../shared/contract/api-key.ts';
import { type ErrorCode, errorTable } from '../../shared/contract/errors/error-table.ts';
import { parseJson } from '../../shared/contract/json.ts';
import type { Operation, Parameter } from '../../shared/contract/operation.ts';
import { errorsOf } from '../../shared/contract/operations.ts';

/** A request to a function that writes nothing, and the response that the contract requires. */
export interface HarmlessRequest {
  readonly title: string;
  readonly event: object;
  readonly response: v.GenericSchema;
}

/** Returns a request with a key that was never issued: the authorizer must read its table to deny its id. */
export function authorizerRequest(stage: string): HarmlessRequest {
  const key = generateApiKey(stage);
  return {
    title: 'an unknown key',
    event: { type: 'TOKEN', authorizationToken: `Bearer ${key}`, methodArn: 'arn:api/v1/GET/' },
    response: v.object({
      principalId: v.literal(keyIdOf(apiKeyHash(key))),
      policyDocument: v.object({ Statement: v.tuple([v.object({ Effect: v.literal('Deny') })]) }),
    }),
  };
}

/** Derives valid requests from an operation that reads, and an invalid one from an operation that writes. */
export function operationRequests(operation: Operation): readonly HarmlessRequest[] {
  const { method, path, parameters, body } = operation;
  const pathParameters = examplesOf(parameters.path);
  // The example need not exist, and a deprecated operation ends.
  const absent = errorsOf(operation)
    .filter((code) => code === 'not_found' || code === 'gone')
    .map(errorResponse);
  const request = (title: string, event: object, ...expected: ReturnType<typeof responseOf>[]) => ({
    title: `${method} ${path}${title}`,
    event: { ...anyEvent, httpMethod: method, path, resource: path, pathParameters, ...event },
    response: v.variant('statusCode', [...expected, ...absent]),
  });

  if (method === 'GET' && 'schema' in operation.response) {
    const success = responseOf(operation.success, operation.response.schema);
    const none = request('', {}, success);
    const each = Object.entries(examplesOf(parameters.query)).map(([name, value]) =>
      request(`?${name}=${value}`, { multiValueQueryStringParameters: { [name]: [value] } }, success),
    );
    return [none, ...each];
  }
  if (!body || v.is(body.schema, {})) return [];
  return [request(' with an empty object', { body: '{}' }, errorResponse('invalid_body'))];
}

/** The rest of the event that API Gateway sends, as far as handlers read it. */
const anyEvent = {
  multiValueHeaders: {},
  isBase64Encoded: false,
  requestContext: {
    requestId: 'release-check',
    domainName: 'release-check.invalid',
    stage: 'v1',
    authorizer: { client: 'release-check', keyId: '000000000000' },
  },
};

/** Returns an example of each parameter that has one; of an enumeration, the first value. */
export const examplesOf = (
  parameters: Readonly<Record<string, Parameter>> = {},
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(parameters).flatMap(([name, { schema, example }]) => {
      const [first] = 'options' in schema && Array.isArray(schema.options) ? schema.options : [];
      const value: unknown = example ?? first;
      return value === undefined ? [] : [[name, `${value}`]];
    }),
  );

/** JSON text with exact integers; its issues quote nothing. */
export const jsonText = (schema: v.GenericSchema) =>
  v.pipe(
    v.string(),
    v.check((text) => v.is(v.pipe(v.string(), v.parseJson()), text)),
    v.transform(parseJson),
    schema,
  );

const responseOf = (status: number, body: v.GenericSchema) =>
  v.object({
    statusCode: v.literal(BigInt(status)),
    body: jsonText(body),
  });

/** The response of a list that finds nothing. */
export const emptyList = responseOf(200, v.strictTuple([]));

/** The response of a list that finds something. */
export const filledList = responseOf(200, v.pipe(v.array(v.unknown()), v.minLength(1)));

const errorResponse = (code: ErrorCode) =>
  responseOf(errorTable[code].status, v.object({ code: v.literal(code) }));
