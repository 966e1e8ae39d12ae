import * as v from 'valibot';
import { getPetDeprecation } from './deprecation.ts';
import type { ErrorCode } from './errors/error-table.ts';
import type { Operation, Parameter, PathOf } from './operation.ts';
import { idempotencyKeyPattern, idempotencyKeyRule } from './schemas/idempotency-key.ts';
import { type ListPetsQuery, pageSize } from './schemas/list-pets-query.ts';
import { encodeCursor } from './schemas/page-cursor.ts';
import { NewPet, Pet, PetStatus } from './schemas/pet.ts';

// The single source of what the API does: routes, interface description, page and tests are derived from it. Functions
// import types alone from here, so that no prose is deployed.

/** The pet of every example. */
export const examplePet = {
  id: 3647600370042976n,
  name: 'Bella',
  categoryId: 1n,
  status: 'available',
} as const satisfies Pet;

/** What creates the pet of every example. */
export const exampleNewPet = {
  name: examplePet.name,
  categoryId: examplePet.categoryId,
} as const satisfies v.InferInput<typeof NewPet>;

/** A page of the catalogue. */
export const listPets = {
  operationId: 'listPets',
  method: 'GET',
  path: '/pets',
  summary: 'List pets',
  description: `A page of pets, ${pageSize.default} unless \`limit\` says otherwise. With \`status\` they are sorted by id, and a pet created a moment ago may be missing for about a second; without it the order is stable and otherwise unspecified.`,
  parameters: {
    query: {
      limit: {
        description: 'Maximum number of pets to return.',
        schema: v.optional(
          v.pipe(v.number(), v.integer(), v.minValue(pageSize.minimum), v.maxValue(pageSize.maximum)),
          pageSize.default,
        ),
        example: pageSize.default,
      },
      status: { description: 'Only pets of this status.', schema: PetStatus },
      cursor: {
        description: 'Where the page starts: opaque, and found only in the `Link` header.',
        schema: v.string(),
      },
    } satisfies Record<keyof ListPetsQuery, Parameter>,
  },
  success: 200,
  response: {
    description: 'A page of pets.',
    schema: v.pipe(v.array(Pet), v.maxLength(pageSize.maximum)),
    example: [examplePet],
    headers: {
      Link: {
        description: 'The next page (RFC 8288); absent on the last page.',
        schema: v.string(),
        example: (baseUrl) =>
          `<${baseUrl}/pets?limit=20&cursor=${encodeCursor(7932710808496267n, undefined)}>; rel="next"`,
      },
    },
  },
  errors: ['invalid_query'],
} as const satisfies Operation;

/** A new pet. */
export const createPet = {
  operationId: 'createPet',
  method: 'POST',
  path: '/pets',
  summary: 'Create a pet',
  description: 'Adds a pet to the catalogue and assigns its id. Unknown fields of the body are ignored.',
  parameters: {
    header: {
      'Idempotency-Key': {
        description: `Makes the create safe to repeat: ${idempotencyKeyRule}, the same for every attempt, such as \`order-4711\`. In quotes it is the same key.`,
        schema: v.pipe(v.string(), v.regex(new RegExp(idempotencyKeyPattern))),
      },
    },
  },
  body: { schema: NewPet, example: exampleNewPet },
  success: 201,
  response: {
    description: 'The pet was created, now or by the same request before.',
    schema: Pet,
    example: examplePet,
    headers: {
      Location: {
        description: 'The URL of the pet.',
        schema: v.pipe(v.string(), v.url()),
        example: (baseUrl) => `${baseUrl}/pets/${examplePet.id}`,
        isRequired: true,
      },
      'Idempotency-Replayed': {
        description: 'Present when the request repeats one that succeeded before.',
        schema: v.pipe(v.string(), v.value('true')),
        example: 'true',
      },
    },
  },
  errors: [
    'invalid_json',
    'invalid_body',
    'invalid_header',
    'payload_too_large',
    'unsupported_media_type',
    'idempotency_key_reused',
  ],
} as const satisfies Operation;

/** One pet, until its sunset. */
export const getPet = {
  operationId: 'getPet',
  method: 'GET',
  path: '/pets/{petId}',
  summary: 'Get a pet',
  description: 'A single pet. Use `GET /pets` with the `status` filter instead.',
  parameters: {
    path: {
      petId: { description: 'Identifier of the pet.', schema: Pet.entries.id, example: examplePet.id },
    },
  },
  success: 200,
  response: { description: 'The pet.', schema: Pet, example: examplePet, headers: {} },
  errors: ['not_found', 'gone'],
  deprecation: getPetDeprecation,
} as const satisfies Operation;

/** Every operation of the API. */
export const operations = { listPets, createPet, getPet } as const satisfies Record<string, Operation>;

/** The name of an operation. */
export type OperationId = keyof typeof operations;

/** The path of a URL of some operation, with or without a query. */
export type OperationPath = Paths | `${Paths}?${string}`;
type Paths = PathOf<(typeof operations)[OperationId]['path']>;

/** The errors that every operation can respond with. */
export const commonErrors = [
  'unauthorized',
  'too_many_requests',
  'internal_error',
  'service_unavailable',
  'gateway_timeout',
] as const satisfies readonly ErrorCode[];

/** The last segment of both base addresses, and the name of the API's stage. */
export const apiVersion = 'v1';
