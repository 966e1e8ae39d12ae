import type { OperationId } from '../../shared/contract/operations.ts';
import type { TableId } from '../../shared/tables/table-definitions.ts';

/** The DynamoDB actions that a function may perform on a table, and on its indexes. */
export interface TableActions {
  readonly table?: readonly `dynamodb:${string}`[];
  readonly index?: readonly `dynamodb:${string}`[];
}

/** The AWS settings of an operation. */
export interface OperationSettings {
  /** Requests per second, and the burst, that API Gateway allows. */
  readonly throttling: { readonly rateLimit: number; readonly burstLimit: number };
  /** The tables that its function may use, and no others. */
  readonly tables: { readonly [Id in TableId]?: TableActions };
}

/**
 * The limits of each method, in requests per second, from its bottleneck (arithmetic: docs/scaling.md):
 *
 * - A partition of a table or an index allows 1,000 write units and 3,000 read units per second. All pets of
 *   a status share one until DynamoDB splits it. A pet takes 1 write unit, or 2 with a name over 900 bytes:
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
    tables: { pets: { table: ['dynamodb:Scan'], index: ['dynamodb:Query'] } },
  },
  createPet: {
    throttling: { rateLimit: 350, burstLimit: 350 },
    tables: { pets: { table: ['dynamodb:PutItem'] } },
  },
  getPet: {
    throttling: { rateLimit: 200, burstLimit: 200 },
    tables: { pets: { table: ['dynamodb:GetItem'] } },
  },
} as const satisfies Record<OperationId, OperationSettings>;

/** The tables that the authorizer may use. */
export const authorizerTables: OperationSettings['tables'] = {
  apiKeys: { table: ['dynamodb:GetItem'] },
};

/** The limit of each method that is not an operation: HEAD, and those that get a 405. */
export const otherMethodsThrottling: OperationSettings['throttling'] = { rateLimit: 10, burstLimit: 10 };

/** Requests per minute that each key and each IP address may send to all operations combined; at least 10. */
export interface FairUse {
  readonly perKey: number;
  readonly perAddress: number;
}

/** A key may use half the smallest operation limit; an address, which clients may share, twice that. */
export const fairUse: FairUse = { perKey: 6000, perAddress: 12_000 };
