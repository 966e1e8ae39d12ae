import { Ajv2020 } from 'ajv/dist/2020.js';
import { openApiDocument } from '../../../infra/reference/document.ts';
import { stringifyJson } from '../../../shared/contract/json.ts';

/** A request; a header that is undefined is not sent, and a body that is not a string is sent as JSON. */
export interface ApiRequest {
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
}

/** A response: its body as received, because JSON.parse rounds large integers, and parsed. */
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
  readonly 'application/json': { readonly schema: object; readonly examples?: object };
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

/** Replaces references to components other than schemas with the components. */
function inlineReferences(text: string): string {
  const { components } = JSON.parse(text);
  const inlined = JSON.parse(text, (_key, value) => {
    const [, kind = '', name = ''] =
      /#\/components\/(headers|parameters|responses)\/(.+)/.exec(value?.$ref) ?? [];
    return kind ? components[kind][name] : value;
  });
  return JSON.stringify(inlined);
}

// Ajv compiles each schema once, by its identity, so references must be absolute. Responses refer to headers: twice.
const description: Description = JSON.parse(
  inlineReferences(inlineReferences(stringifyJson(openApiDocument()))).replaceAll(
    '"#/components',
    '"description#/components',
  ),
);
const errorSchema = { $ref: 'description#/components/schemas/Error' };
const ajv = new Ajv2020({ strict: false, allErrors: true });
ajv.addFormat('int64', true);
ajv.addFormat('int32', true);
ajv.addFormat('uri', (text) => URL.canParse(text));
ajv.addSchema(description, 'description');

/** Lists where a request, its header names in lower case, and its response deviate from the interface description. */
export function deviations(
  method: string,
  path: string,
  { headers = {}, body }: ApiRequest,
  response: ApiResponse,
): string[] {
  const url = new URL(`http://pets.example${path}`);
  let isKnownPath = false;
  for (const [template, operations] of Object.entries(description.paths)) {
    const pattern = template.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
    const match = new RegExp(`^${pattern}$`).exec(url.pathname);
    isKnownPath ||= match !== null;
    const operation = operations[method.toLowerCase()];
    if (!match || !operation) continue;

    const given = { path: { ...match.groups }, query: Object.fromEntries(url.searchParams), header: headers };
    return [
      ...(response.status < 300 ? requestDeviations(operation, given, body) : []),
      ...responseDeviations(operation, response),
    ];
  }
  // The response to HEAD has no body.
  if (method === 'HEAD') return [];
  // A path does not have other methods, with or without a key, and any other path is a 404.
  const statuses = isKnownPath ? [401, 405, 415, 429] : [404];
  return [
    ...(statuses.includes(response.status)
      ? []
      : [`status: ${response.status}, not ${statuses.join(' or ')}`]),
    ...validate(errorSchema, response.body),
  ];
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
    ...codeDeviations(described.content, response.body),
  ];
}

/** Whether a deviation is a header that the interface description does not mention. */
export const isUndescribedHeader = (deviation: string) => /^header \S+ is not described$/.test(deviation);

/** An error response lists its codes as the names of its examples. */
function codeDeviations({ 'application/json': { examples } }: Content, body: unknown): string[] {
  const { code } = Object(body);
  return examples === undefined || code in examples ? [] : [`code ${code} is not described`];
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
