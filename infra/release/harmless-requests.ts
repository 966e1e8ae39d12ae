import * as v from 'valibot';
import { definitionOf, type ErrorDefinition } from '../../shared/contract/error-table.ts';
import {
  type Examples,
  examplesOf,
  queriesOf,
  requiredOf,
  textOf,
} from '../../shared/contract/example-parameters.ts';
import { jsonText } from '../../shared/contract/json.ts';
import { errorsOf, type Operation } from '../../shared/contract/operation.ts';
import { apiKeyHash, generateApiKey, keyIdOf } from '../../shared/keys/api-key.ts';
import { apiVersion } from '../../shared/service.ts';
import { keyPrefixOf } from '../key-prefix.ts';

/** A request to a function that writes nothing, and the response that the contract requires. */
export interface HarmlessRequest {
  readonly title: string;
  readonly event: object;
  readonly response: v.GenericSchema;
}

/** Returns a request with a key that was never issued: the authorizer must read its table to deny its id. */
export function authorizerRequest(stage: string): HarmlessRequest {
  const key = generateApiKey(keyPrefixOf(stage));
  return {
    title: 'an unknown key',
    event: { type: 'TOKEN', authorizationToken: `Bearer ${key}`, methodArn: `arn:api/${apiVersion}/GET/` },
    response: v.object({
      principalId: v.literal(keyIdOf(apiKeyHash(key))),
      policyDocument: v.object({ Statement: v.tuple([v.object({ Effect: v.literal('Deny') })]) }),
    }),
  };
}

/** Derives valid requests from an operation that reads, and an invalid one from an operation that writes. */
export function operationRequests(operation: Operation): readonly HarmlessRequest[] {
  const { method, path, parameters } = operation;
  // The example need not exist, and a deprecated operation ends.
  const absent = errorsOf(operation)
    .filter(({ code }) => code === 'not_found' || code === 'gone')
    .map(responseWith);
  return variantsOf(operation).map(({ title, query, body, response }) => ({
    title: `${method} ${path}${title}`,
    event: {
      ...anyEvent,
      httpMethod: method,
      path,
      resource: path,
      pathParameters: examplesOf(parameters.path),
      multiValueHeaders: inLists(requiredOf(parameters.header)),
      multiValueQueryStringParameters: inLists(query),
      body,
    },
    response: v.variant('statusCode', [response, ...absent]),
  }));
}

/** Returns how the requests to an operation differ: in query, body and response. */
function variantsOf(operation: Operation) {
  const { method, parameters, body } = operation;
  if (method === 'GET' && 'schema' in operation.response) {
    const response = responseOf(operation.success, operation.response.schema);
    return queriesOf(operation).map((query) => ({ title: textOf(query), query, body: undefined, response }));
  }
  // A schema that accepts `{}` would let it be written.
  if (!body || v.is(body.schema, {})) return [];
  const response = responseWith(definitionOf('invalid_body'));
  return [{ title: ' with an empty object', query: requiredOf(parameters.query), body: '{}', response }];
}

/** The rest of the event that API Gateway sends, as far as handlers read it. */
const anyEvent = {
  isBase64Encoded: false,
  requestContext: {
    requestId: 'release-check',
    domainName: 'release-check.invalid',
    stage: apiVersion,
    authorizer: { client: 'release-check', keyId: '000000000000' },
  },
};

const inLists = (examples: Examples) =>
  Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, [value]]));

const responseOf = (status: number, body: v.GenericSchema) =>
  v.object({
    statusCode: v.literal(BigInt(status)),
    body: jsonText(body),
  });

/** The response of a list that finds nothing. */
export const emptyList = responseOf(200, v.strictTuple([]));

/** The response of a list that finds something. */
export const filledList = responseOf(200, v.pipe(v.array(v.unknown()), v.minLength(1)));

const responseWith = ({ code, status }: ErrorDefinition) =>
  responseOf(status, v.object({ code: v.literal(code) }));
