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

// A schema is compiled once, by its identity: so its references must be absolute.
const description: Description = JSON.parse(
  stringifyJson(openApiDocument()).replaceAll('"#/components', '"description#/components'),
);
const errorSchema = { $ref: 'description#/components/schemas/Error' };
const ajv = new Ajv2020({ strict: false, allErrors: true });
ajv.addFormat('int64', true);
ajv.addFormat('uri', (text) => URL.canParse(text));
ajv.addSchema(description, 'description');

/** What of a request, whose header names are in lower case, and its response is not as the interface description says. */
export function deviations(
  method: string,
  path: string,
  { headers = {}, body }: ApiRequest,
  response: ApiResponse,
): string[] {
  const url = new URL(`http://pets.example${path}`);
  for (const [template, operations] of Object.entries(description.paths)) {
    const pattern = template.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
    const match = new RegExp(`^${pattern}$`).exec(url.pathname);
    const operation = operations[method.toLowerCase()];
    if (!match || !operation) continue;

    const given = { path: { ...match.groups }, query: Object.fromEntries(url.searchParams), header: headers };
    return [
      ...(response.status < 300 ? requestDeviations(operation, given, body) : []),
      ...responseDeviations(operation, response),
    ];
  }
  // What is not described is not found; a HEAD has no body that could say so.
  if (method === 'HEAD') return [];
  return [...isEqual('status', response.status, 404), ...validate(errorSchema, response.body)];
}

function requestDeviations(
  { parameters, requestBody }: Operation,
  given: Readonly<Record<'path' | 'query' | 'header', Readonly<Record<string, string | undefined>>>>,
  body: unknown,
): string[] {
  return [
    ...parameters.flatMap((parameter) => {
      const name = parameter.in === 'header' ? parameter.name.toLowerCase() : parameter.name;
      return valueDeviations(`parameter ${parameter.name}`, parameter, given[parameter.in][name]);
    }),
    ...(requestBody
      ? bodyDeviations(requestBody.content, typeof body === 'string' ? JSON.parse(body) : body)
      : []),
  ];
}

function responseDeviations({ responses }: Operation, response: ApiResponse): string[] {
  const described = responses[response.status];
  if (!described) return [`status ${response.status} is not described`];

  const headers = Object.entries(described.headers);
  const names = headers.map(([name]) => name.toLowerCase());
  const unknown = Object.keys(response.headers).filter(
    (name) => !names.includes(name) && !transportHeaders.test(name),
  );
  return [
    ...unknown.map((name) => `header ${name} is not described`),
    ...headers.flatMap(([name, header]) =>
      valueDeviations(`header ${name}`, header, response.headers[name.toLowerCase()]),
    ),
    ...isEqual('content type', response.headers['content-type'], 'application/json'),
    ...bodyDeviations(described.content, response.body),
  ];
}

const bodyDeviations = (content: Content, body: unknown) =>
  validate(content['application/json'].schema, body);

function valueDeviations(what: string, { required, schema }: Value, text: string | undefined): string[] {
  if (text === undefined) return required ? [`${what} is missing`] : [];
  const value = schema.type === 'integer' ? Number(text) : text;
  return validate(schema, value).map((deviation) => `${what}: ${deviation}`);
}

const validate = (schema: object, value: unknown) => (ajv.validate(schema, value) ? [] : [ajv.errorsText()]);

const isEqual = (what: string, actual: unknown, expected: unknown) =>
  actual === expected ? [] : [`${what} is ${actual}, not ${expected}`];
