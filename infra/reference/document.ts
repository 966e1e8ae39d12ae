import { readFileSync } from 'node:fs';
import packageJson from '../../package.json' with { type: 'json' };
import { authorizerCacheSeconds } from '../../shared/contract/api-key.ts';
import { maxBodyDepth, maxBodyKiB } from '../../shared/contract/body-limits.ts';
import type { Body, Operation, ResponseHeader } from '../../shared/contract/operation.ts';
import { apiVersion, operations } from '../../shared/contract/operations.ts';
import { timeLimits } from '../../shared/lambda/time-limits.ts';
import { defaultBaseUrl } from '../settings/default-address.ts';
import type { StageSettings } from '../settings/stages.ts';
import { errorGuide, errorResponsesOf, headersOf } from './error-responses.ts';
import { deprecatedResponse, errorResponse, everyResponse, exampleAt, joined } from './response-headers.ts';
import { type JsonObject, jsonSchemaOf, mapValues, schemas } from './schemas.ts';

/** The address of an API, and what is published about its stage. */
export interface Address extends Pick<StageSettings, 'contact' | 'fairUse'> {
  readonly baseUrl: string;
}

/** How long a function can take. */
const functionSeconds = timeLimits.function / 1000;

/** API Gateway's default: https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html */
const gatewaySeconds = 29;

const described: readonly Operation[] = Object.values(operations);

/** Fills in each `{{name}}` in a file of this folder. */
export function fillTemplate(file: string, values: Readonly<Record<string, string | number>>): string {
  const template = readFileSync(new URL(file, import.meta.url), 'utf8');
  return template.replaceAll(/\{\{(\w+)\}\}/g, (_braces, name) => `${values[name]}`);
}

/** Returns what clients need to know about the API as a whole, in Markdown. */
export const guide = () =>
  fillTemplate('guide.md', {
    authorizerCacheSeconds,
    errors: errorGuide(),
    functionSeconds,
    gatewaySeconds,
    maxBodyKiB,
    maxBodyDepth,
  });

/** Returns the OpenAPI 3.1 description. It contains bigints: serialize it with `stringifyJson`. */
export function openApiDocument(address?: Address, description = guide()): JsonObject {
  // Without an address, the examples are those of `npm start`.
  const baseUrl = address?.baseUrl ?? defaultBaseUrl;
  const byPath = Object.groupBy(described, ({ path }) => path);
  return {
    openapi: '3.1.1',
    info: {
      title: 'Pet Store',
      summary: 'The catalogue of a pet store.',
      version: packageJson.version,
      description,
      ...(address?.contact && { contact: address.contact }),
      license: { name: packageJson.license, identifier: packageJson.license },
    },
    servers: [{ url: address?.baseUrl ?? `/${apiVersion}`, 'x-internal': false }],
    security: [{ apiKey: [] }],
    tags: [...new Set(described.map(tagOf))].map((name) => ({
      name,
      description: `Everything in /${name}.`,
    })),
    paths: mapValues(byPath, (ofPath = []) =>
      Object.fromEntries(
        ofPath.map((operation) => [operation.method.toLowerCase(), describe(operation, baseUrl)]),
      ),
    ),
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key for the stage.' },
      },
      schemas,
      headers: describeHeaders({ ...everyResponse, ...errorResponse, ...announcements() }, baseUrl),
    },
  };
}

/** Groups operations by the first segment of their path. */
const tagOf = ({ path }: Operation) => path.split('/')[1];

function describe(operation: Operation, baseUrl: string): JsonObject {
  const { operationId, summary, description, parameters, body, success, response, deprecation } = operation;
  return {
    operationId,
    tags: [tagOf(operation)],
    summary,
    description: deprecation ? `${description} ${removal(deprecation.sunset)}` : description,
    ...(deprecation && { deprecated: true, 'x-sunset': deprecation.sunset }),
    parameters: describeParameters(parameters),
    ...(body && { requestBody: { required: true, content: jsonContent(body) } }),
    responses: {
      [success]: {
        description: response.description,
        headers: {
          ...headersOf(operation),
          ...describeHeaders(ownHeaders(operation), baseUrl),
        },
        ...('schema' in response && { content: jsonContent(response) }),
      },
      ...errorResponsesOf(operation),
    },
  };
}

const jsonContent = ({ schema, example }: Body): JsonObject => ({
  'application/json': { schema: jsonSchemaOf(schema), example },
});

/** Returns the headers that announce a deprecation, by the name of their component. */
const announcements = (): Readonly<Record<string, ResponseHeader>> =>
  Object.fromEntries(
    described.flatMap((operation) =>
      Object.entries(deprecatedResponse(operation)).map(([name, header]) => [
        `${operation.operationId}${name}`,
        header,
      ]),
    ),
  );

/** Returns the headers of a successful response, joined with one of the same name for its deprecation. */
function ownHeaders(operation: Operation): Readonly<Record<string, ResponseHeader>> {
  const announced = deprecatedResponse(operation);
  const headers = Object.entries(operation.response.headers).map(([name, header]) => {
    const other = announced[name];
    return [name, other ? joined(header, other) : header];
  });
  return Object.fromEntries(headers);
}

const describeHeaders = (headers: Readonly<Record<string, ResponseHeader>>, baseUrl: string): JsonObject =>
  mapValues(headers, ({ description, schema, example, isRequired }) => ({
    description,
    ...(isRequired && { required: true }),
    schema: jsonSchemaOf(schema),
    example: exampleAt(baseUrl, example),
  }));

const describeParameters = (parameters: Operation['parameters']): JsonObject[] =>
  Object.entries(parameters).flatMap(([place, byName]) =>
    Object.entries(byName).map(([name, { schema, ...prose }]) => ({
      name,
      in: place,
      ...(place === 'path' && { required: true }),
      ...prose,
      schema: jsonSchemaOf(schema),
    })),
  );

function removal(sunset: string): string {
  const date = new Date(sunset).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
  return `**Deprecated: will be removed on ${date}**, and will then respond with 410.`;
}
