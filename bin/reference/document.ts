import { readFileSync } from 'node:fs';
import {
  authorizerCacheSeconds,
  otherMethodsThrottling,
} from '../../infra/settings/limits-and-permissions.ts';
import type { Objectives } from '../../infra/settings/objectives.ts';
import type { StageSettings } from '../../infra/settings/stages.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { maxBodyDepth, maxBodyKiB } from '../../shared/contract/body-limits.ts';
import { exampleOf } from '../../shared/contract/example-parameters.ts';
import type { Operation, OptionalParameter } from '../../shared/contract/operation.ts';
import { apiVersion, operations, description as service } from '../../shared/service.ts';
import { defaultBaseUrl } from '../cli/default-address.ts';
import { codeSamplesOf } from './code-samples.ts';
import { limitsOf } from './limits.ts';
import { errorGuide, headerComponents, responsesOf } from './responses.ts';
import { type JsonObject, jsonContent, jsonSchemaOf, mapValues, schemas } from './schemas.ts';

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

/** Returns what clients need to know about the API as a whole, in Markdown, with the limits of a stage. */
export const guide = (stage?: Pick<Address, 'fairUse'>) =>
  fillTemplate('guide.md', {
    authorizerCacheSeconds,
    errors: errorGuide(),
    limits: stage ? limitsOf(stage.fairUse) : 'The `openapi.json` of a stage has its limits.',
    otherLimit: otherMethodsThrottling.rateLimit,
    gatewaySeconds,
    maxBodyKiB,
    maxBodyDepth,
  });

/**
 * Returns the OpenAPI 3.1 description, with samples that have the key, if there is one. It contains bigints:
 * serialize it with `stringifyJson`.
 */
export function openApiDocument(
  address?: Address,
  description = guide(address),
  apiKey?: string,
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
          describeOperation(operation, baseUrl, apiKey),
        ]),
      ),
    ),
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key for the stage.' },
      },
      schemas,
      headers: headerComponents(described, baseUrl),
    },
  };
}

/** Groups operations by the first segment of their path. */
const tagOf = ({ path }: Operation) => path.split('/')[1];

/** https://redocly.com/docs-legacy/api-reference-docs/specification-extensions/x-code-samples */
export function describeOperation(operation: Operation, baseUrl: string, apiKey?: string): JsonObject {
  const { operationId, summary, description, parameters, body, deprecation } = operation;
  return {
    operationId,
    tags: [tagOf(operation)],
    summary,
    description: deprecation ? `${description} ${removal(deprecation.sunset)}` : description,
    ...(deprecation && { deprecated: true, 'x-sunset': deprecation.sunset }),
    parameters: describeParameters(parameters),
    ...(body && { requestBody: { required: true, content: jsonContent(body) } }),
    responses: responsesOf(operation, baseUrl),
    'x-codeSamples': codeSamplesOf(operation, baseUrl, apiKey),
  };
}

const describeParameters = (parameters: Operation['parameters']): JsonObject[] =>
  Object.entries(parameters).flatMap(([place, byName]) =>
    Object.entries<OptionalParameter>(byName).map(([name, parameter]) => {
      const example = exampleOf(parameter);
      return {
        name,
        in: place,
        ...((place === 'path' || parameter.isRequired) && { required: true }),
        description: parameter.description,
        ...(example !== undefined && { example }),
        schema: {
          ...jsonSchemaOf(parameter.schema),
          ...(parameter.default !== undefined && { default: parameter.default }),
        },
      };
    }),
  );

const removal = (sunset: string) =>
  `**Deprecated: will be removed on ${longDate(sunset)}**, and will then respond with 410.`;

/** Returns a date as a text for people, such as 5 December 2030. */
export const longDate = (instant: string) =>
  new Date(instant).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
