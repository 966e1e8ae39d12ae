import { createRequire } from 'node:module';
import db from 'dynalite/db/index.js';
import validations from 'dynalite/validations/index.js';
import { CallGuard } from './call-guard.ts';
import { closeUnfinishedIterators } from './close-iterators.ts';
import { returnOldItems } from './return-old-items.ts';

closeUnfinishedIterators();
returnOldItems();

/** The input of a call. */
export type Call = Readonly<Record<string, unknown>>;

/** The store in which dynalite keeps the tables. */
export interface DynaliteStore {
  readonly db: { close(): Promise<void> };
}

/** How dynalite validates the input of an operation. */
export interface Validation {
  readonly types: Readonly<Record<string, unknown>>;
  readonly custom?: (call: Call, store: DynaliteStore) => string | undefined;
}

type Action = (store: DynaliteStore, call: Call, done: (error: unknown, output?: unknown) => void) => void;

const operations = [
  'BatchGetItem',
  'BatchWriteItem',
  'CreateTable',
  'DeleteItem',
  'DeleteTable',
  'DescribeTable',
  'DescribeTimeToLive',
  'GetItem',
  'ListTables',
  'ListTagsOfResource',
  'PutItem',
  'Query',
  'Scan',
  'TagResource',
  'UntagResource',
  'UpdateItem',
  'UpdateTable',
] as const;

const require = createRequire(import.meta.url);

const known = new Map<string, { readonly validation: Validation; readonly action: Action }>(
  operations.map((name) => {
    const file = `${name.charAt(0).toLowerCase()}${name.slice(1)}.js`;
    return [
      name,
      {
        validation: require(`dynalite/validations/${file}`),
        action: require(`dynalite/actions/${file}`),
      },
    ];
  }),
);

/**
 * dynalite's tables, called directly: its HTTP server lets pages of any site in, and dynalite crashes on calls that it
 * does not expect.
 */
export class DynaliteTables {
  readonly #store: DynaliteStore;

  /** Opens the tables in `directory`, or in memory without one. */
  constructor(directory?: string) {
    this.#store = db.create({ ...(directory !== undefined && { path: directory }), createTableMs: 0 });
  }

  /** Whether there is such an operation. */
  static has(operation: string): boolean {
    return known.has(operation);
  }

  /**
   * Calls an operation.
   *
   * @throws {Error} with the `statusCode` and `body` of a response when dynalite refuses the call, without when it fails
   */
  async call(operation: string, input: Call): Promise<unknown> {
    const { validation, action } = known.get(operation) ?? {};
    if (!validation || !action) throw new Error(`The embedded DynamoDB has no ${operation}.`);
    const call = this.#validate(input, validation);

    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const store = new CallGuard(reject).guard(this.#store);
    action(store, call, (error, output) => (error ? reject(error) : resolve(output)));
    return promise;
  }

  /** Input on which dynalite's validation crashes is malformed as well. */
  #validate(input: Call, { types, custom }: Validation): Call {
    try {
      const call = validations.checkTypes(input, types);
      validations.checkValidations(call, types, custom, this.#store);
      return call;
    } catch (error) {
      if (error instanceof Error && 'statusCode' in error) throw error;
      const message = 'The call is malformed.';
      throw Object.assign(new Error(message, { cause: error }), {
        statusCode: 400,
        body: { __type: 'com.amazon.coral.service#SerializationException', message },
      });
    }
  }

  /** Writes everything and closes the tables. There must be no call under way. */
  async close(): Promise<void> {
    await this.#store.db.close();
  }
}
