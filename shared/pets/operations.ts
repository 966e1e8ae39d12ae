import * as v from 'valibot';
import { idempotencyKey, idempotencyReplayed } from '../contract/idempotency-key.ts';
import type { Operation } from '../contract/operation.ts';
import { nextPage, pageQuery, pageSize } from '../paging/page-query.ts';
import { NewPet, Pet, PetStatus } from './pet.ts';

// The single source of what the API does: routes, handlers' parsing, interface description, page and tests are
// derived from it.

/** The body that creates the pet in every example. */
export const exampleNewPet = {
  name: 'Bella',
  categoryId: 1n,
} as const satisfies v.InferInput<typeof NewPet>;

/** The pet in every example, with the schema's defaults: the first sample pet of `npm start`. */
export const examplePet: Pet = { id: 6973062927679661n, ...v.parse(NewPet, exampleNewPet) };

/** The cursor in examples of a request: the start of the list, so that tools which send it get the first page. */
const exampleCursor = 'MS5zdGF0dXMsaWQuYXZhaWxhYmxlLjAuNTk4ODY1MzEy';

/** The cursor in the example of a `Link` header: after the example pet. */
const exampleNextCursor = 'MS5pZC4uNjk3MzA2MjkyNzY3OTY2MS4zOTYzNzA1NDU1';

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
      cursor: { ...pageQuery.cursor, example: exampleCursor, exampleWith: { status: 'available' } },
      status: { description: 'Return only pets with this status.', schema: PetStatus },
    },
  },
  success: 200,
  response: {
    description: 'A page of pets.',
    schema: v.pipe(v.array(Pet), v.maxLength(pageSize.maximum)),
    example: [examplePet],
    headers: nextPage('/pets', exampleNextCursor),
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
    'already_deleted',
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
  deprecation: {
    since: '2026-11-20T00:00:00Z',
    sunset: '2030-12-05T00:00:00Z',
    successor: '/pets',
  },
} as const satisfies Operation;

/** The schemas that the interface description names. */
export const petSchemas = { NewPet, Pet, Pets: listPets.response.schema, PetStatus };

/** Every operation on pets. */
export const petOperations = { listPets, createPet, getPet } as const satisfies Record<string, Operation>;
