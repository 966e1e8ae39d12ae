import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname } from 'node:path';
import validations from 'dynalite/validations/index.js';
import { guarded } from './call-guard.ts';
import { type DeclaredTable, declareTable } from './declare-tables.ts';
import { type Call, type DynaliteStore, openStore } from './dynalite-store.ts';

/** How dynalite validates the input of an operation. */
export interface Validation {
  readonly types: Readonly<Record<string, unknown>>;
  readonly custom?: (call: Call, store: DynaliteStore) => string | undefined;
}

type Action = (store: DynaliteStore, call: Call, done: (error: unknown, output?: unknown) => void) => void;

const require = createRequire(import.meta.url);

/** The operations that dynalite has, each of them a file. */
const known = new Map<string, { readonly validation: Validation; readonly action: Action }>(
  readdirSync(dirname(require.resolve('dynalite/actions/getItem.js'))).map((file) => [
    `${file.charAt(0).toUpperCase()}${basename(file, '.js').slice(1)}`,
    { validation: require(`dynalite/validations/${file}`), action: require(`dynalite/actions/${file}`) },
  ]),
);

/**
 * dynalite's tables, called directly and one call at a time: its HTTP server allows cross-origin requests, and a call that
 * fails unexpectedly would leave its locks behind.
 */
export class DynaliteTables {
  readonly #store: DynaliteStore;
  readonly #indexesLag: boolean;
  /** Settles with the last call. */
  #last: Promise<unknown> = Promise.resolve();

  private constructor(store: DynaliteStore, indexesLag: boolean) {
    this.#store = store;
    this.#indexesLag = indexesLag;
  }

  /**
   * Opens the tables in `folder`, or in memory without one.
   *
   * @throws {Error} when LevelDB can't open the folder
   */
  static async open(folder?: string, createIfMissing = true, indexLagMs = 0): Promise<DynaliteTables> {
    return new DynaliteTables(await openStore(folder, createIfMissing, indexLagMs), indexLagMs > 0);
  }

  /**
   * Calls an operation.
   *
   * @throws {Error} with the `statusCode` and `body` of a response when dynalite rejects the call, without when it fails
   */
  call(operation: string, input: Call): Promise<unknown> {
    return this.#inTurn(() => this.#call(operation, input));
  }

  /** Creates tables that are missing, and rebuilds indexes that are declared differently than before. */
  declare(tables: readonly DeclaredTable[]): Promise<void> {
    const createTable = (input: Call) => this.#call('CreateTable', input);
    return this.#inTurn(async () => {
      for (const table of tables) await declareTable(this.#store, createTable, table, this.#indexesLag);
    });
  }

  /** Completes the calls in progress, and closes the tables. */
  close(): Promise<void> {
    return this.#inTurn(() => this.#store.db.close());
  }

  #inTurn<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(act);
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  async #call(operation: string, input: Call): Promise<unknown> {
    const { validation, action } = known.get(operation) ?? {};
    if (!validation || !action) throw rejection('UnknownOperationException', 'The operation is unknown.');
    const call = this.#validate(input, validation);

    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    action(guarded(this.#store, reject), call, (error, output) => (error ? reject(error) : resolve(output)));
    return promise;
  }

  /** Validates input. If dynalite's validation itself throws, the input is malformed. */
  #validate(input: Call, { types, custom }: Validation): Call {
    try {
      const call = validations.checkTypes(input, types);
      validations.checkValidations(call, types, custom, this.#store);
      return call;
    } catch (error) {
      if (error instanceof Error && 'statusCode' in error) throw error;
      throw rejection('SerializationException', 'The call is malformed.');
    }
  }
}

/** Returns an error as dynalite throws it when it rejects a call. */
const rejection = (type: string, message: string) =>
  Object.assign(new Error(message), {
    statusCode: 400,
    body: { __type: `com.amazon.coral.service#${type}`, message },
  });
