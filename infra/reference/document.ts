import { readFileSync } from 'node:fs';
import packageJson from '../../package.json' with { type: 'json' };
import { maxBodyDepth, maxBodyKiB } from '../../shared/contract/json.ts';
import type { Body, Operation, OptionalParameter, ResponseHeader } from '../../shared/contract/operation.ts';
import { authorizerCacheSeconds } from '../../shared/keys/api-key.ts';
import { apiVersion, operations, description as service } from '../../shared/service.ts';
import { defaultBaseUrl } from '../default-address.ts';
import type { Objectives } from '../settings/objectives.ts';
import type { StageSettings } from '../settings/stages.ts';
import { errorGuide, errorResponsesOf, headersOf } from './error-responses.ts';
import { deprecatedResponse, errorResponse, everyResponse, exampleAt, joined } from './response-headers.ts';
import { type JsonObject, jsonSchemaOf, mapValues, schemas } from './schemas.ts';

/** The address of an API, and what is published about its stage. */
export interface Address extends Pick<StageSettings, 'contact' | 'fairUse'> {
  readonly baseUrl: string;
  readonly objectives?: Objectives;
}

/** API Gateway's default: https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html */
const gatewaySeconds = 29;

const described: readonly Operation[] = Object.values(operations);

/**
 * Fills in each `{{name}}` in a file of this folder.
 *
 * @throws {Error} if the file has a name without a value
 */
export function fillTemplate(file: string, values: Readonly<Record<string, string | number>>): string {
  const template = readFileSync(new URL(file, import.meta.url), 'utf8');
  return template.replaceAll(/\{\{(\w+)\}\}/g, (_braces, name) => {
    const value = values[name];
    if (value === undefined) throw new Error(`${file} has {{${name}}}, but no value fills it in.`);
    return `${value}`;
  });
}

/** Returns what clients need to know about the API as a whole, in Markdown. */
export const guide = (limits = "The reference page of a stage has the stage's limits.") =>
  fillTemplate('guide.md', {
    authorizerCacheSeconds,
    errors: errorGuide(),
    limits,
    gatewaySeconds,
    maxBodyKiB,
    maxBodyDepth,
  });

interface Additions {
  readonly description: string;
  /** Returns what else to say of an operation. */
  readonly extend: (operation: Operation) => JsonObject;
}

/** Returns the OpenAPI 3.1 description. It contains bigints: serialize it with `stringifyJson`. */
export function openApiDocument(
  address?: Address,
  { description = guide(), extend = () => ({}) }: Partial<Additions> = {},
): JsonObject {
  // Without an address, the examples are those of `npm start`.
  const baseUrl = address?.baseUrl ?? defaultBaseUrl;
  const byPath = Object.groupBy(described, ({ path }) => path);
  return {
    openapi: '3.1.1',
    info: {
      title: service.title,
      summary: service.summary,
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
        ofPath.map((operation) => [
          operation.method.toLowerCase(),
          { ...describe(operation, baseUrl), ...extend(operation) },
        ]),
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
    Object.entries<OptionalParameter>(byName).map(([name, { description, schema, ...parameter }]) => ({
      name,
      in: place,
      ...((place === 'path' || parameter.isRequired) && { required: true }),
      description,
      ...(parameter.example !== undefined && { example: parameter.example }),
      schema: {
        ...jsonSchemaOf(schema),
        ...(parameter.default !== undefined && { default: parameter.default }),
      },
    })),
  );

function removal(sunset: string): string {
  const date = new Date(sunset).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
  return `**Deprecated: will be removed on ${date}**, and will then respond with 410.`;
}
