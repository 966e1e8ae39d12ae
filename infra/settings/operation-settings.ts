import type { OperationId } from '../../shared/contract/operations.ts';

/** The AWS settings of an operation. */
export interface OperationSettings {
  /** Requests per second, and the burst, that API Gateway allows. */
  readonly throttling: { readonly rateLimit: number; readonly burstLimit: number };
  /** The DynamoDB actions of its function, on the table of pets and on its indexes. */
  readonly permissions: { readonly [On in 'table' | 'index']?: readonly `dynamodb:${string}`[] };
}

/**
 * The limits of each method, in requests per second, from its bottleneck (arithmetic: docs/scaling.md):
 *
 * - A partition of a table or an index allows 1,000 write units and 3,000 read units per second. All pets of
 *   a status share one until DynamoDB splits it. A pet takes 1 write unit, or 2 with a name of over 900 bytes:
 *   500 to 1,000 creates. A page of 100 takes 1.5 to 14 read units: 214 to 2,000 pages.
 * - The account runs 1,000 functions at the same time. If every response takes 1 s, the latency objective,
 *   they serve 1,000 requests per second, including the authorizer, which runs once per key per minute.
 *
 * So the functions are the bottleneck: 400 + 350 + 200, 20 for HEAD of both paths, and 30 for the authorizer.
 * Each burst is one second's worth.
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

/** The limit of each method that is not an operation: HEAD, and those that get a 405. */
export const otherMethodsThrottling: OperationSettings['throttling'] = { rateLimit: 10, burstLimit: 10 };

/** Requests per minute that each key and each IP address may send to all operations combined; at least 10. */
export interface FairUse {
  readonly perKey: number;
  readonly perAddress: number;
}

/** A key may use half the smallest operation limit; an address, which clients may share, twice that. */
export const fairUse: FairUse = { perKey: 6000, perAddress: 12_000 };
