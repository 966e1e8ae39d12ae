import { idempotencyKeyRule } from '../../shared/contract/idempotency-key.ts';
import { maxId } from '../../shared/contract/int64.ts';
import { pageSize } from '../../shared/contract/list-pets-query.ts';
import { operations } from '../../shared/contract/operations.ts';
import { prose } from './prose.ts';
import { responsesOf } from './responses.ts';
import { examplePet, type JsonObject, schemas } from './schemas.ts';

const parameters = {
  listPets: [
    {
      name: 'limit',
      in: 'query',
      description: 'Maximum number of pets to return.',
      schema: {
        type: 'integer',
        minimum: pageSize.minimum,
        maximum: pageSize.maximum,
        default: pageSize.default,
      },
      example: pageSize.default,
    },
    {
      name: 'status',
      in: 'query',
      description: 'Only pets of this status.',
      schema: { $ref: '#/components/schemas/PetStatus' },
    },
    {
      name: 'cursor',
      in: 'query',
      description: 'Where the page starts: opaque, and found in the `Link` header alone.',
      schema: { type: 'string' },
    },
  ],
  createPet: [
    {
      name: 'Idempotency-Key',
      in: 'header',
      description: `Makes the create safe to repeat: ${idempotencyKeyRule}, the same for every try, such as \`order-4711\`. In quotes it is the same key.`,
      // In quotes, a quote and a backslash have a backslash before them.
      schema: { type: 'string', pattern: String.raw`^([!#-~][!-~]{0,254}|"([!#-\[\]-~]|\\["\\]){1,255}")$` },
    },
  ],
  getPet: [
    {
      name: 'petId',
      in: 'path',
      required: true,
      description: 'Identifier of the pet.',
      schema: { type: 'integer', format: 'int64', minimum: 1, maximum: maxId },
      example: examplePet.id,
    },
  ],
} satisfies Record<keyof typeof operations, JsonObject[]>;

const newPetBody = {
  required: true,
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/NewPet' },
      example: { name: examplePet.name, categoryId: examplePet.categoryId },
    },
  },
};

/** The servers are the base address and the staging address; an operator's outputs say what the variables are. */
const servers = ['production', 'staging'].map((stage) => ({
  url: 'https://{apiId}.execute-api.{region}.amazonaws.com/v1',
  description: `The ${stage} stage.`,
  variables: {
    apiId: { default: 'abcdefghij', description: `The first label of the ${stage} stack's BaseUrl output.` },
    region: { default: 'eu-west-1', description: 'Where the stack is deployed.' },
  },
}));

/** The interface description, in OpenAPI 3.1. Its integers may be bigints: write it with `stringifyJson`. */
export function openApiDocument(): JsonObject {
  return {
    openapi: '3.1.1',
    info: {
      title: 'Pet Store',
      version: '1.0.0',
      description: prose.api,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers,
    security: [{ apiKey: [] }],
    tags: Object.entries(prose.tags).map(([name, description]) => ({ name, description })),
    paths: paths(),
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key of the stage.' },
      },
      schemas,
    },
  };
}

function paths(): JsonObject {
  const byPath: Record<string, Record<string, JsonObject>> = {};
  for (const operation of Object.values(operations)) {
    byPath[operation.path] = {
      ...byPath[operation.path],
      [operation.method.toLowerCase()]: describe(operation),
    };
  }
  return byPath;
}

function describe(operation: (typeof operations)[keyof typeof operations]): JsonObject {
  const { operationId } = operation;
  const { summary, description } = prose.operations[operationId];
  return {
    operationId,
    tags: ['pets'],
    summary,
    description,
    ...('deprecation' in operation && { deprecated: true, 'x-sunset': operation.deprecation.sunset }),
    parameters: parameters[operationId],
    ...(operationId === 'createPet' && { requestBody: newPetBody }),
    responses: responsesOf(operation),
  };
}
