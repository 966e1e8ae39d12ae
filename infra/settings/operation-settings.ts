import type { OperationId, operations } from '../../shared/contract/operations.ts';
import type { TableId } from '../../shared/tables/table-definitions.ts';

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

type ItemAction = (typeof itemActions)[number];

/** The DynamoDB actions that a function may perform on a table, and on its indexes. */
export interface TableActions {
  readonly table?: readonly ItemAction[];
  readonly index?: readonly ItemAction[];
}

/** The AWS settings of an operation. */
export interface OperationSettings {
  /** Requests per second, and the burst, that API Gateway allows. */
  readonly throttling: { readonly rateLimit: number; readonly burstLimit: number };
  /** The tables that its function may use, and no others. */
  readonly tables: { readonly [Id in TableId]?: TableActions };
}

/**
 * The limits of each method. They follow from two numbers:
 *
 * - A partition of DynamoDB writes 1,000 units per second, and the pets of a status share one until DynamoDB
 *   splits it. A pet with a name of 934 bytes or more takes two units. So 400 creates fit with any names.
 * - The account runs 1,000 functions at the same time, and concurrency.ts says how many these limits need. They
 *   leave room for two more operations like these.
 */
export const operationSettings = {
  listPets: {
    throttling: { rateLimit: 400, burstLimit: 80 },
    tables: { pets: { table: ['dynamodb:Scan'], index: ['dynamodb:Query'] } },
  },
  createPet: {
    throttling: { rateLimit: 400, burstLimit: 80 },
    tables: { pets: { table: ['dynamodb:PutItem'] } },
  },
  getPet: {
    throttling: { rateLimit: 400, burstLimit: 80 },
    tables: { pets: { table: ['dynamodb:GetItem'] } },
  },
} as const satisfies Record<OperationId, OperationSettings>;

/** The tables that the authorizer may use. */
export const authorizerTables: OperationSettings['tables'] = {
  apiKeys: { table: ['dynamodb:GetItem'] },
};

/** The limit of each method that is not an operation: HEAD, and those that get a 405. */
export const otherMethodsThrottling: OperationSettings['throttling'] = { rateLimit: 10, burstLimit: 10 };

/**
 * Returns the settings of an operation.
 *
 * @throws {Error} if they are missing, which the compiler reports later than the local API needs them
 */
export function operationSettingsOf(
  operationId: OperationId,
  settings: Readonly<Partial<Record<OperationId, Partial<OperationSettings>>>> = operationSettings,
): OperationSettings {
  const { throttling, tables } = settings[operationId] ?? {};
  if (throttling && tables) return { throttling, tables };
  const what = `throttling and tables of ${operationId}`;
  throw new Error(`Add ${what} to operationSettings in infra/settings/operation-settings.ts.`);
}

/** Returns the limits of the methods that run an operation's function: HEAD runs that of GET. */
export const limitsOf = ({ operationId, method }: (typeof operations)[OperationId]) => [
  operationSettingsOf(operationId).throttling,
  ...(method === 'GET' ? [otherMethodsThrottling] : []),
];

/** Requests per minute that each key and each IP address may send to all operations combined; at least 10. */
export interface FairUse {
  readonly perKey: number;
  readonly perAddress: number;
}

/**
 * A key may use an eighth of an operation's limit, and an address, which clients may share, a quarter. With a
 * larger share, a key that sends all requests of its minute at once takes more from others.
 */
export const fairUse: FairUse = { perKey: 3000, perAddress: 6000 };
