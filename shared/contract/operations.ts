import * as v from 'valibot';
import { getPetDeprecation } from './deprecation.ts';
import type { ErrorCode } from './errors/error-table.ts';
import type { Operation, Parameter, ResponseHeader } from './operation.ts';
import { idempotencyKeyPattern, idempotencyKeyRule } from './schemas/idempotency-key.ts';
import type { ListPetsQuery } from './schemas/list-pets-query.ts';
import { type NextPage, nextPageTarget } from './schemas/next-page-target.ts';
import { Limit, type pageParameters, pageSize } from './schemas/page-query.ts';
import { NewPet, Pet, PetStatus } from './schemas/pet.ts';

// The single source of what the API does: routes, interface description, page and tests are derived from it.
// Functions import only types from here, so no prose is deployed.

/** The body that creates the pet in every example. */
export const exampleNewPet = {
  name: 'Bella',
  categoryId: 1n,
} as const satisfies v.InferInput<typeof NewPet>;

/** The pet in every example, with the schema's defaults: the first sample pet of `npm start`. */
export const examplePet: Pet = { id: 6973062927679661n, ...v.parse(NewPet, exampleNewPet) };

/** The query parameters of every list. */
const pageQuery = {
  limit: {
    description: 'Maximum number of items to return.',
    schema: v.optional(Limit, pageSize.default),
    example: pageSize.default,
  },
  cursor: {
    description: 'Where the page starts. Opaque: take it from the `Link` header of the previous page.',
    schema: v.pipe(v.string(), v.regex(/^[\w-]+$/), v.minLength(1), v.maxLength(512)),
  },
} as const satisfies Record<keyof typeof pageParameters, Parameter>;

/** The headers of every list, whose example links to a page. */
const nextPage = <const Path extends `/${string}`>(path: Path, page: Omit<NextPage<Path>, 'limit'>) => ({
  Link: {
    description: 'The next page (RFC 8288); absent on the last page.',
    schema: v.string(),
    example: (baseUrl: string) =>
      `<${baseUrl}${nextPageTarget<Path>(path, { ...page, limit: pageSize.default })}>; rel="next"`,
  },
});

/** The header of every create. */
const idempotencyKey = {
  'Idempotency-Key': {
    description: `Makes the create safe to repeat: ${idempotencyKeyRule}, the same for every attempt, with the same body. The quoted and the bare form are equivalent.`,
    // Without an example: the page would send it, with one body after another.
    schema: v.pipe(v.string(), v.regex(new RegExp(idempotencyKeyPattern)), v.maxLength(512)),
  },
} as const satisfies Record<string, Parameter>;

/** The header of every create's response. */
const idempotencyReplayed = {
  'Idempotency-Replayed': {
    description: 'Present if an earlier attempt at this request created what is returned.',
    schema: v.pipe(v.string(), v.value('true')),
    example: 'true',
  },
} as const satisfies Record<string, ResponseHeader>;

/** A page of the catalogue. */
export const listPets = {
  operationId: 'listPets',
  method: 'GET',
  path: '/pets',
  summary: 'List pets',
  description: `Returns a page of pets, ${pageSize.default} by default. With \`status\`, pets are sorted by id; without it, the order is stable but unspecified. A list, filtered or not, can miss a new pet for about a second.`,
  parameters: {
    query: {
      ...pageQuery,
      status: { description: 'Return only pets with this status.', schema: PetStatus },
    } satisfies Record<keyof ListPetsQuery, Parameter>,
  },
  success: 200,
  response: {
    description: 'A page of pets.',
    schema: v.pipe(v.array(Pet), v.maxLength(pageSize.maximum)),
    example: [examplePet],
    headers: nextPage('/pets', { filter: {}, next: '7932710808496267' }),
  },
  errors: ['invalid_query', 'invalid_request'],
} as const satisfies Operation;

/** A new pet. */
export const createPet = {
  operationId: 'createPet',
  method: 'POST',
  path: '/pets',
  summary: 'Create a pet',
  description: 'Adds a pet to the catalogue and assigns its id. Unknown fields of the body are ignored.',
  parameters: { header: idempotencyKey },
  body: { schema: NewPet, example: exampleNewPet },
  success: 201,
  response: {
    description:
      'The pet was created, by this request or by an identical earlier one. It is returned as it is now.',
    schema: Pet,
    example: examplePet,
    headers: {
      Location: {
        description: 'The URL of the pet.',
        schema: v.pipe(v.string(), v.url()),
        example: (baseUrl) => `${baseUrl}/pets/${examplePet.id}`,
        isRequired: true,
      },
      ...idempotencyReplayed,
    },
  },
  errors: [
    'invalid_json',
    'invalid_body',
    'invalid_header',
    'invalid_request',
    'payload_too_large',
    'unsupported_media_type',
    'idempotency_key_reused',
  ],
} as const satisfies Operation;

/** One pet; deprecated. */
export const getPet = {
  operationId: 'getPet',
  method: 'GET',
  path: '/pets/{petId}',
  summary: 'Get a pet',
  description: 'Returns a single pet. Use `GET /pets` with the `status` filter instead.',
  parameters: {
    path: {
      petId: { description: 'Identifier of the pet.', schema: Pet.entries.id, example: examplePet.id },
    },
  },
  success: 200,
  response: { description: 'The pet.', schema: Pet, example: examplePet, headers: {} },
  errors: ['invalid_request', 'not_found'],
  deprecation: getPetDeprecation,
} as const satisfies Operation;

/** Every operation of the API. */
export const operations = { listPets, createPet, getPet } as const satisfies Record<string, Operation>;

export type OperationId = keyof typeof operations;

/** Returns the errors specific to an operation: a deprecated one ends. */
export const errorsOf = ({ errors, deprecation }: Operation): readonly ErrorCode[] =>
  deprecation ? [...errors, 'gone'] : errors;

/** The errors that every operation can respond with. */
export const commonErrors = [
  'unauthorized',
  'too_many_requests',
  'internal_error',
  'service_unavailable',
  'gateway_timeout',
] as const satisfies readonly ErrorCode[];

/** The last segment of both base addresses, and the name of API Gateway's stage. */
export const apiVersion = 'v1';
