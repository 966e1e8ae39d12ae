import type { OperationId } from '../../shared/contract/operations.ts';

/** What an operation takes of AWS. */
export interface OperationSettings {
  /** How many requests a second API Gateway lets through, and how many at once. */
  readonly throttling: { readonly rateLimit: number; readonly burstLimit: number };
  /** The DynamoDB actions of its function: on the table of pets, and on its index by status. */
  readonly permissions: { readonly [On in 'table' | 'index']?: readonly `dynamodb:${string}`[] };
}

/**
 * The least of what stands behind each method, in requests a second (the arithmetic in full: docs/scaling.md).
 *
 * - A partition of a table or an index takes 1,000 write units and 3,000 read units a second. All pets of one status share
 *   one partition of the index until DynamoDB splits it. A pet takes 1 write unit, or 2 with a name of more than 900
 *   bytes: 500 to 1,000 creates. A page of 100 takes 1 read unit, or 13.5 with the longest names: 222 to 3,000 pages.
 * - The account runs 1,000 functions at once. When every response takes its slowest, 1 s by the objective for latency,
 *   they serve 1,000 requests a second in all, and the authorizer, asked once a minute and key, is one of them.
 *
 * So the functions are met first: 400 + 350 + 200, and 50 for the authorizer. A bucket is a second's worth.
 */
export const operationSettings = {
  listPets: {
    throttling: { rateLimit: 400, burstLimit: 400 },
    permissions: { table: ['dynamodb:Scan'], index: ['dynamodb:Query'] },
  },
  createPet: {
    throttling: { rateLimit: 350, burstLimit: 350 },
    permissions: { table: ['dynamodb:PutItem'] },
  },
  getPet: {
    throttling: { rateLimit: 200, burstLimit: 200 },
    permissions: { table: ['dynamodb:GetItem'] },
  },
} as const satisfies Record<OperationId, OperationSettings>;
