import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, inject } from 'vitest';
import { openApiDocument } from '../../../bin/reference/document.ts';
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
const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false });
ajv.addSchema(description, 'description');

/** Returns what a value refers to, such as `#/components/headers/Link`, or the value itself. */
function resolve<T>(value: T & { readonly $ref?: string }): T {
  const [, kind = '', name = ''] = /^#\/components\/(\w+)\/(.+)/.exec(value.$ref ?? '') ?? [];
  return kind ? description.components[kind][name] : value;
}

/** Expects a response that conforms to the interface description. */
export function expectDescribed(method: string, path: string, response: ApiResponse): void {
  // To API Gateway, a trailing slash makes no difference.
  const pathname = new URL(path, 'http://pets.example').pathname.replace(/\/$/, '');
  const template = Object.keys(description.paths).find((template) =>
    new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(pathname),
  );
  const operations = template && description.paths[template];
  const operation = operations?.[method.toLowerCase()];
  if (operation) {
    expect(Object.keys(operation.responses)).toContain(`${response.status}`);
    const described = resolve<Described>(operation.responses[response.status]);
    expectHeaders(described, response);
    expectBody(described, response);
  } else if (method !== 'HEAD') {
    // An unsupported method gets an error, with or without a key; an unknown path, a 404.
    expect(response.status).toBeOneOf(operations ? [401, 405, 415, 429] : [404]);
    expectValid({ $ref: 'description#/components/schemas/Error' }, response.body);
  }
}

function expectHeaders(described: Described, { headers }: ApiResponse): void {
  const added = new Set(Object.keys(headers).filter((name) => !transportHeaders.test(name)));
  for (const [name, reference] of Object.entries(described.headers)) {
    const { required, schema } = resolve(reference);
    const text = headers[name.toLowerCase()];
    if (required) expect(headers).toHaveProperty(name.toLowerCase());
    if (text !== undefined) expectValid(schema, schema.type === 'integer' ? Number(text) : text);
    added.delete(name.toLowerCase());
  }
  // A proxy in front of a deployed stage may add headers, such as Server.
  if (inject('localApi')) expect([...added]).toEqual([]);
}

function expectBody({ content }: Described, { headers, text, body }: ApiResponse): void {
  if (!content) {
    expect(text).toBe('');
    return;
  }
  const { schema, examples } = content['application/json'];
  expect(headers['content-type']).toBe('application/json');
  expectValid(schema, body);
  if (examples) expect(Object.keys(examples)).toContain(Object(body).code);
}

const expectValid = (schema: object, value: unknown) =>
  expect(ajv.validate(schema, value), ajv.errorsText()).toBe(true);
