import { Ajv2020 } from 'ajv/dist/2020.js';
import { openApiDocument } from '../../../infra/reference/document.ts';
import { stringifyJson } from '../../../shared/contract/json.ts';

/** A request; a header that is undefined is not sent, and a body that is no text is sent as JSON. */
export interface ApiRequest {
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
}

/** A response: the body as it came, for what JSON.parse would round, and parsed. */
export interface ApiResponse {
  readonly status: number;
  /** By their lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly body: unknown;
}

interface Value {
  readonly required?: boolean;
  readonly schema: { readonly type?: string };
}

interface Content {
  readonly 'application/json': { readonly schema: object };
}

interface Operation {
  readonly parameters: readonly (Value & {
    readonly name: string;
    readonly in: 'query' | 'header' | 'path';
  })[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<
    Record<string, { headers: Readonly<Record<string, Value>>; content: Content }>
  >;
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/** Headers of HTTP itself, and those that API Gateway and CloudFront add. */
const transportHeaders =
  /^(connection|content-length|content-type|date|keep-alive|transfer-encoding|vary|via|x-amz-.*|x-amzn-(trace-id|errortype|remapped-.*)|x-cache)$/;

const description: Description = JSON.parse(stringifyJson(openApiDocument()));
const ajv = new Ajv2020({ strict: false, allErrors: true });
ajv.addFormat('int64', true);
ajv.addFormat('uri', (text) => URL.canParse(text));
ajv.addSchema(description, 'description');

/** What of a request and its response is not as the interface description says. */
export function deviations(
  method: string,
  path: string,
  request: ApiRequest,
  response: ApiResponse,
): string[] {
  const url = new URL(`http://pets.example${path}`);
  const found = findOperation(method, url.pathname);
  // What is not described is not found; a HEAD has no body that could say so.
  if (!found)
    return method === 'HEAD'
      ? []
      : [...isEqual('status', response.status, 404), ...errorDeviations(response)];

  const { operation, pathParameters } = found;
  return [
    ...(response.status < 300 ? requestDeviations(operation, pathParameters, url, request) : []),
    ...responseDeviations(operation, response),
  ];
}

function findOperation(method: string, pathname: string) {
  for (const [template, operations] of Object.entries(description.paths)) {
    const pattern = template.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
    const match = new RegExp(`^${pattern}$`).exec(pathname);
    const operation = operations[method.toLowerCase()];
    if (match && operation) return { operation, pathParameters: match.groups ?? {} };
  }
  return undefined;
}

function requestDeviations(
  { parameters, requestBody }: Operation,
  pathParameters: Readonly<Record<string, string>>,
  url: URL,
  { headers = {}, body }: ApiRequest,
): string[] {
  const headersByName = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const given = {
    path: (name: string) => pathParameters[name],
    query: (name: string) => url.searchParams.get(name) ?? undefined,
    header: (name: string) => headersByName.get(name.toLowerCase()),
  };
  return [
    ...parameters.flatMap((parameter) =>
      valueDeviations(`parameter ${parameter.name}`, parameter, given[parameter.in](parameter.name)),
    ),
    ...(requestBody
      ? bodyDeviations(requestBody.content, typeof body === 'string' ? JSON.parse(body) : body)
      : []),
  ];
}

function responseDeviations({ responses }: Operation, response: ApiResponse): string[] {
  const described = responses[response.status];
  if (!described) return [`status ${response.status} is not described`];

  const headers = new Map(
    Object.entries(described.headers).map(([name, header]) => [name.toLowerCase(), header]),
  );
  const unknown = Object.keys(response.headers).filter(
    (name) => !headers.has(name) && !transportHeaders.test(name),
  );
  return [
    ...unknown.map((name) => `header ${name} is not described`),
    ...[...headers].flatMap(([name, header]) =>
      valueDeviations(`header ${name}`, header, response.headers[name]),
    ),
    ...isEqual('content type', response.headers['content-type'], 'application/json'),
    ...bodyDeviations(described.content, response.body),
  ];
}

const errorDeviations = ({ body }: ApiResponse) =>
  validate({ $ref: 'description#/components/schemas/Error' }, body);

const bodyDeviations = (content: Content, body: unknown) =>
  validate(content['application/json'].schema, body);

function valueDeviations(what: string, { required, schema }: Value, text: string | undefined): string[] {
  if (text === undefined) return required ? [`${what} is missing`] : [];
  const value = schema.type === 'integer' ? Number(text) : text;
  return validate(schema, value).map((deviation) => `${what}: ${deviation}`);
}

function validate(schema: object, value: unknown): string[] {
  const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"description#/components'));
  return ajv.validate(absolute, value) ? [] : [ajv.errorsText()];
}

const isEqual = (what: string, actual: unknown, expected: unknown) =>
  actual === expected ? [] : [`${what} is ${actual}, not ${expected}`];
