import * as v from 'valibot';
import type { OperationId } from '../../shared/service.ts';
import { number, record, tableId, whole } from './setting-schemas.ts';

/** The DynamoDB actions on items, which are all that the permissions boundary lets a function perform. */
export const itemActions = [
  'dynamodb:BatchGetItem',
  'dynamodb:BatchWriteItem',
  'dynamodb:ConditionCheckItem',
  'dynamodb:DeleteItem',
  'dynamodb:GetItem',
  'dynamodb:PutItem',
  'dynamodb:Query',
  'dynamodb:Scan',
  'dynamodb:UpdateItem',
] as const;

const actions = v.optional(
  v.pipe(
    v.array(v.picklist(itemActions, `must be one of ${itemActions.join(', ')}`), 'must be a list of actions'),
    v.readonly(),
  ),
);

/** The DynamoDB actions that a function may perform on a table, and on its indexes. */
const TableActions = record({ table: actions, index: actions });
export type TableActions = v.InferOutput<typeof TableActions>;

const TableActionsById = v.record(tableId, TableActions, 'must be a record of tables');

/** What API Gateway lets through to a method. A limit of 0 would let no request through; AWS names no maximum. */
export const Throttling = record({
  /** Requests per second. */
  rateLimit: number({ min: 1, max: 1_000_000 }),
  /** Requests at once. */
  burstLimit: whole({ min: 1, max: 1_000_000 }),
});
export type Throttling = v.InferOutput<typeof Throttling>;

/** The AWS settings of an operation. */
export const OperationSettings = record({
  throttling: Throttling,
  /** What its function may do with tables, by their ids, and nothing else. */
  tableActions: TableActionsById,
});
export type OperationSettings = v.InferOutput<typeof OperationSettings>;

export type AllOperationSettings = Readonly<Record<OperationId, OperationSettings>>;

/**
 * The limits of each method, and its function's permissions on tables. The limits follow from two numbers:
 *
 * - A partition of DynamoDB writes 1,000 units per second, and the pets of a status share one until DynamoDB
 *   splits it. A pet with a name of 934 bytes or more takes two units. So 400 creates fit with any names.
 * - The account runs 1,000 functions at the same time, and concurrency.ts says how many these limits need. They
 *   leave room for two more operations like these.
 */
export const operationSettings: AllOperationSettings = {
  listPets: {
    throttling: { rateLimit: 400, burstLimit: 80 },
    tableActions: { pets: { table: ['dynamodb:Scan'], index: ['dynamodb:Query'] } },
  },
  createPet: {
    throttling: { rateLimit: 400, burstLimit: 80 },
    tableActions: { pets: { table: ['dynamodb:PutItem'] } },
  },
  getPet: {
    throttling: { rateLimit: 400, burstLimit: 80 },
    tableActions: { pets: { table: ['dynamodb:GetItem'] } },
  },
};

/** What the authorizer may do with tables. */
export const authorizerTableActions: OperationSettings['tableActions'] = {
  apiKeys: { table: ['dynamodb:GetItem'] },
};

/** How many seconds API Gateway caches the authorizer's response: a revoked key can still work that long. */
export const authorizerCacheSeconds = 60;

/** The limit of each method that is not an operation: HEAD, and those that get a 405. */
export const otherMethodsThrottling: Throttling = { rateLimit: 10, burstLimit: 10 };
