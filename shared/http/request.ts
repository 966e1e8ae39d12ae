import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import * as v from 'valibot';
import { ApiError } from '../contract/error-table.ts';
import type { Operation, OptionalParameter, ParsedRequest } from '../contract/operation.ts';
import { invalidFields, parse } from '../contract/parse.ts';

/** The event of a handler. Its body is the JSON that was sent, with all its fields, and integers as bigints. */
export type ApiEvent = Omit<APIGatewayProxyEvent, 'body'> & { readonly body: unknown };

export type ApiMiddleware = MiddlewareObj<APIGatewayProxyEvent, APIGatewayProxyResult>;

/** The caller, as identified by the authorizer. */
const Caller = v.object({ client: v.string() });

/** Returns the client that owns the API key of a request. */
export function clientOf({ requestContext }: Pick<APIGatewayProxyEvent, 'requestContext'>): string {
  return v.parse(Caller, requestContext.authorizer).client;
}

/** Returns a header, matched case-insensitively, if a request has it. Its lines are one list (RFC 9110 §5.3). */
export function headerValue(
  { multiValueHeaders }: Pick<APIGatewayProxyEvent, 'multiValueHeaders'>,
  name: string,
): string | undefined {
  const wanted = name.toLowerCase();
  const all = Object.entries(multiValueHeaders).filter(([header]) => header.toLowerCase() === wanted);
  return all[0] && all.flatMap(([, lines = []]) => lines).join(', ');
}

/**
 * Returns a path's URL at the host that was called: API Gateway has no other scheme than https, and a client
 * can send X-Forwarded-Proto.
 */
export function absoluteUrl(
  { requestContext: { domainName = '', stage } }: Pick<APIGatewayProxyEvent, 'requestContext'>,
  path: string,
): string {
  return `https://${domainName}/${stage}${path}`;
}

/**
 * Returns a function that parses requests as an operation says. It ignores unknown parameters and fields, and
 * throws an `ApiError`: `not_found` for the path, `invalid_query`, `invalid_header` or `invalid_body`.
 */
export function requestParser<const TOperation extends Operation>(operation: TOperation) {
  const { parameters, body } = operation;
  const path = schemaOf(parameters.path);
  const query = schemaOf(parameters.query);
  const header = schemaOf(parameters.header);
  const headerNames = Object.keys(parameters.header ?? {});

  return (event: ApiEvent) => {
    const headers = headerNames.map((name) => [name, listOf(headerValue(event, name))]);
    const pathTexts = event.pathParameters ?? {};
    const parsed = {
      path: parsePath(path, pathTexts),
      url: absoluteUrl(event, filledPath(operation, pathTexts)),
      query: parse(query, event.multiValueQueryStringParameters ?? {}, 'invalid_query'),
      header: parse(header, Object.fromEntries(headers), 'invalid_header'),
      body: body && parse(body.schema, event.body, 'invalid_body'),
    };
    // The type follows from the schemas, which TypeScript cannot see through the records.
    return parsed as ParsedRequest<TOperation>;
  };
}

type PathTexts = NonNullable<ApiEvent['pathParameters']>;

const filledPath = ({ path }: Operation, texts: PathTexts) =>
  path.replaceAll(/\{(\w+)\}/g, (_braces, name) => encodeURIComponent(`${texts[name]}`));

/** A path with an invalid parameter is that of no resource. */
function parsePath(schema: ReturnType<typeof schemaOf>, texts: PathTexts) {
  const lists = Object.entries(texts).map(([name, text]) => [name, listOf(text)]);
  const { success, output, issues } = v.safeParse(schema, Object.fromEntries(lists));
  if (success) return output;
  throw new ApiError('not_found', undefined, { details: { invalid: invalidFields(issues) } });
}

/** A query can give a parameter several values; a path, the joined lines of a header and a default are one. */
const listOf = (value: string | number | undefined) => (value === undefined ? undefined : [`${value}`]);

/** Can reject only a parameter of the query. */
const Single = v.pipe(
  v.array(v.string()),
  v.length(1, 'must be given at most once'),
  v.transform(([text = '']) => text),
);

/** Returns the schema of a request's parameters in a place. An omitted one is there, as undefined. */
function schemaOf(parameters: Readonly<Record<string, OptionalParameter>> = {}) {
  const entries = Object.entries(parameters).map(([name, { schema, isRequired, default: fallback }]) => {
    const value = v.pipe(
      Single,
      v.transform((text): unknown => fromText(schema, text)),
      schema,
    );
    if (isRequired) return [name, value];
    // A default is parsed like a text that was sent.
    return [name, v.optional(value, () => listOf(fallback))];
  });
  return v.object(Object.fromEntries(entries));
}

/** An integer in canonical form, with at most as many digits as one of 64 bits has. */
const integer = /^(?:0|-?[1-9]\d{0,18})$/;

/** Returns the value that a text stands for, or the text itself if the schema accepts no number like it. */
function fromText({ type }: v.GenericSchema, text: string): string | number | bigint {
  if (!integer.test(text)) return text;
  if (type === 'bigint') return BigInt(text);
  return type === 'number' ? Number(text) : text;
}
