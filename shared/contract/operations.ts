import type { ErrorCode } from './error-table.ts';

/** When and why an operation goes away. Both instants are ISO 8601. */
export interface Deprecation {
  readonly since: string;
  readonly sunset: string;
  /** The path, below the base address, of what replaces it. */
  readonly successor: string;
}

/** One operation of the API. */
export interface Operation {
  readonly operationId: string;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly success: 200 | 201;
  /** The errors of its own, besides the common ones. */
  readonly errors: readonly ErrorCode[];
  readonly deprecation?: Deprecation;
}

/** A page of the catalogue. */
export const listPets = {
  operationId: 'listPets',
  method: 'GET',
  path: '/pets',
  success: 200,
  errors: ['invalid_query'],
} as const satisfies Operation;

/** A new pet. */
export const createPet = {
  operationId: 'createPet',
  method: 'POST',
  path: '/pets',
  success: 201,
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
  success: 200,
  errors: ['not_found', 'gone'],
  deprecation: { since: '2026-11-20T00:00:00Z', sunset: '2030-12-05T00:00:00Z', successor: '/pets' },
} as const satisfies Operation;

/** The errors that every operation can answer. */
export const commonErrors = [
  'unauthorized',
  'too_many_requests',
  'internal_error',
  'service_unavailable',
  'gateway_timeout',
] as const satisfies readonly ErrorCode[];

/** Every operation of the API. */
export const operations = { listPets, createPet, getPet } as const satisfies Record<string, Operation>;

/** The last segment of both base addresses, and the name of the API's stage. */
export const apiVersion = 'v1';
