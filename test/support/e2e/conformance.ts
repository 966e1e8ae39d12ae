import { Ajv2020 } from 'ajv/dist/2020.js';
import { openApiDocument } from '../../../infra/reference/document.ts';
import { stringifyJson } from '../../../shared/contract/json.ts';

/** A response: its body both as received (JSON.parse rounds large integers) and parsed. */
export interface ApiResponse {
  readonly status: number;
  /** By their lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly body: unknown;
}

interface Header {
  readonly required?: boolean;
  readonly schema: { readonly type?: string };
}

/** The description of a response; an error response lists its codes as the names of its examples. */
interface Described {
  readonly headers: Readonly<Record<string, Header>>;
  readonly content?: { readonly 'application/json': { readonly schema: object; readonly examples?: object } };
}

/** Headers of HTTP itself, and those that API Gateway and CloudFront add. */
const transportHeaders =
  /^(connection|content-length|content-type|date|keep-alive|transfer-encoding|vary|via|x-amz-.*|x-amzn-(trace-id|errortype|remapped-.*)|x-cache)$/;

// Ajv compiles each schema once, by its identity, so references to schemas must be absolute.
const description = JSON.parse(
  stringifyJson(openApiDocument()).replaceAll('"#/components/schemas', '"description#/components/schemas'),
);
const ajv = new Ajv2020({ strict: false, allErrors: true });
ajv.addFormat('int64', true);
ajv.addFormat('int32', true);
ajv.addFormat('uri', (text) => URL.canParse(text));
ajv.addSchema(description, 'description');

/** Returns what a value refers to, such as `#/components/headers/Link`, or the value itself. */
function resolve<T>(value: T & { readonly $ref?: string }): T {
  const [, kind = '', name = ''] = /^#\/components\/(\w+)\/(.+)/.exec(value.$ref ?? '') ?? [];
  return kind ? description.components[kind][name] : value;
}

export function deviations(method: string, path: string, response: ApiResponse): string[] {
  const { pathname } = new URL(path, 'http://pets.example');
  const template = Object.keys(description.paths).find((template) =>
    new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(pathname),
  );
  const operations = template && description.paths[template];
  const operation = operations?.[method.toLowerCase()];
  if (operation) {
    const described = operation.responses[response.status];
    return described
      ? responseDeviations(resolve(described), response)
      : [`status ${response.status} is not described`];
  }
  // The response to HEAD has no body.
  if (method === 'HEAD') return [];
  // An unsupported method gets an error, with or without a key; an unknown path, a 404.
  const statuses = operations ? [401, 405, 415, 429] : [404];
  const isExpected = statuses.includes(response.status);
  return [
    ...(isExpected ? [] : [`status: ${response.status}, not ${statuses.join(' or ')}`]),
    ...validate({ $ref: 'description#/components/schemas/Error' }, response.body),
  ];
}

function responseDeviations(described: Described, response: ApiResponse): string[] {
  const { headers } = response;
  const names = Object.keys(described.headers).map((name) => name.toLowerCase());
  const unknown = Object.keys(headers).filter(
    (name) => !names.includes(name) && !transportHeaders.test(name),
  );
  return [
    ...unknown.map((name) => `header ${name} is not described`),
    ...Object.entries(described.headers).flatMap(([name, header]) =>
      headerDeviations(name, resolve(header), headers[name.toLowerCase()]),
    ),
    ...bodyDeviations(described, response),
  ];
}

function bodyDeviations({ content }: Described, { headers, text, body }: ApiResponse): string[] {
  if (!content) return text === '' ? [] : ['a body is not described'];
  const { schema, examples } = content['application/json'];
  const { code } = Object(body);
  return [
    ...(headers['content-type'] === 'application/json'
      ? []
      : [`content type is ${headers['content-type']}, not application/json`]),
    ...validate(schema, body),
    ...(examples === undefined || code in examples ? [] : [`code ${code} is not described`]),
  ];
}

export const isUndescribedHeader = (deviation: string) => /^header \S+ is not described$/.test(deviation);

function headerDeviations(name: string, { required, schema }: Header, text: string | undefined): string[] {
  if (text === undefined) return required ? [`header ${name} is missing`] : [];
  const value = schema.type === 'integer' ? Number(text) : text;
  return validate(schema, value).map((deviation) => `header ${name}: ${deviation}`);
}

const validate = (schema: object, value: unknown) => (ajv.validate(schema, value) ? [] : [ajv.errorsText()]);
