import packageJson from '../../package.json' with { type: 'json' };
import type { Operation, Parameter } from '../../shared/contract/operation.ts';
import { operations } from '../../shared/contract/operations.ts';
import { prose } from './prose.ts';
import { responsesOf } from './responses.ts';
import { type JsonObject, jsonSchemaOf, schemas } from './schemas.ts';
import { servers } from './servers.ts';

/** The interface description, in OpenAPI 3.1. Its integers may be bigints: write it with `stringifyJson`. */
export function openApiDocument(): JsonObject {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Pet Store',
      version: packageJson.version,
      description: prose.api,
      license: { name: packageJson.license, identifier: packageJson.license },
    },
    servers,
    security: [{ apiKey: [] }],
    tags: Object.entries(prose.tags).map(([name, description]) => ({ name, description })),
    paths: paths(Object.values(operations)),
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key of the stage.' },
      },
      schemas,
    },
  };
}

function paths(described: readonly Operation[]): JsonObject {
  const byPath = Map.groupBy(described, ({ path }) => path);
  return Object.fromEntries(
    [...byPath].map(([path, ofPath]) => [
      path,
      Object.fromEntries(ofPath.map((operation) => [operation.method.toLowerCase(), describe(operation)])),
    ]),
  );
}

function describe(operation: Operation): JsonObject {
  const { operationId, summary, description, parameters, body, deprecation } = operation;
  return {
    operationId,
    tags: ['pets'],
    summary,
    description: deprecation ? `${description} ${removal(deprecation.sunset)}` : description,
    ...(deprecation && { deprecated: true, 'x-sunset': deprecation.sunset }),
    parameters: Object.entries(parameters).flatMap(([place, byName]) =>
      Object.entries(byName).map(([name, parameter]) => describeParameter(name, place, parameter)),
    ),
    ...(body && {
      requestBody: {
        required: true,
        content: { 'application/json': { schema: jsonSchemaOf(body.schema), example: body.example } },
      },
    }),
    responses: responsesOf(operation),
  };
}

const describeParameter = (
  name: string,
  place: string,
  { description, schema, ...example }: Parameter,
): JsonObject => ({
  name,
  in: place,
  ...(place === 'path' && { required: true }),
  description,
  schema: jsonSchemaOf(schema),
  ...example,
});

function removal(sunset: string): string {
  const date = new Date(sunset).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
  return `**Deprecated: it is removed on ${date}**, and responds with 410 from then on.`;
}
