import { AsyncLocalStorage } from 'node:async_hooks';
import validations from 'dynalite/validations/index.js';
import pLimit from 'p-limit';
import type { Resource } from '../template/read-template.ts';
import { type Operation, operations } from './dynalite-operations.ts';
import { type Call, createStore, type DynaliteStore } from './dynalite-store.ts';
import type { KeptData, Write } from './kept-data.ts';

export type DeclaredTable = Resource<'AWS::DynamoDB::GlobalTable'>;

/** Whether the current code was called by dynalite, directly or as a callback. */
const inDynalite = new AsyncLocalStorage<true>();

/** With each more of them, dynalite takes up to four times as long to parse an expression. */
const maxDepth = 6;

/** For all tables of this process: the error of a callback must be that of the only call in progress. */
const inTurn = pLimit(1);

export type DynaliteTables = ReturnType<typeof dynaliteTables>;

/**
 * Returns dynalite's tables, called directly and one call at a time: its HTTP server allows cross-origin
 * requests, and a call that fails unexpectedly would leave its locks behind.
 */
export function dynaliteTables() {
  const store = createStore();
  return {
    /**
     * Calls an operation.
     *
     * @throws {Error} with the `statusCode` and `body` of a response, if dynalite rejects the call
     */
    call: (operation: string, input: Call) => inTurn(() => callStore(store, operation, input)),

    /**
     * Creates missing tables: all, or none.
     *
     * @throws {Error} if a table exists with other keys or indexes
     */
    declare: (tables: readonly DeclaredTable[]) =>
      inTurn(async () => {
        const missing = [];
        for (const table of tables) if (await isMissing(store, table)) missing.push(table);
        for (const { id, properties } of missing) await store.db.put(keyOf(id), tableOf(id, properties));
      }),

    /**
     * Puts kept items back into the declared tables, and keeps every later write. Items that no longer fit a
     * table stay in the file.
     *
     * @returns whether there were any items
     * @throws {Error} if the file is damaged, or can't be written
     */
    keepIn: (kept: KeptData) => inTurn(() => keepIn(store, kept)),
  };
}

const keyOf = (id: string) => `table~${id}`;

function tableOf(id: string, properties: DeclaredTable['properties']) {
  const { AttributeDefinitions, BillingMode, GlobalSecondaryIndexes, KeySchema } = properties;
  const keys = { AttributeDefinitions, BillingMode, GlobalSecondaryIndexes, KeySchema };
  return { TableName: id, ...keys, TableStatus: 'ACTIVE' };
}

async function isMissing(store: DynaliteStore, { id, properties }: DeclaredTable): Promise<boolean> {
  const table = tableOf(id, properties);
  const { TableStatus: _ofExisting, ...declared } = table;
  // Rejects what DynamoDB would not create.
  prepare(store, 'CreateTable', declared);

  const existing = await store.db.get(keyOf(id));
  if (existing !== undefined && JSON.stringify(existing) !== JSON.stringify(table)) {
    throw new Error(`The keys or indexes of ${id} have changed: restart to apply that.`);
  }
  return existing === undefined;
}

async function keepIn(store: DynaliteStore, kept: KeptData): Promise<boolean> {
  const keys = new Set<string>();
  let itemCount = 0;
  let unfitCount = 0;
  store.beforeWrite = (write) => {
    const id = `${write.table} ${write.key}`;
    // A table whose sort key was removed can take back only one of the items with a partition key.
    if (keys.has(id)) throw rejection('ValidationException', 'Another item has the key.');
    keys.add(id);
    kept.write(write);
  };
  await kept.replaceItems(async (items) => {
    itemCount = items.length;
    for (const write of items) {
      if (await isPutBack(store, write)) continue;
      kept.write(write);
      unfitCount += 1;
    }
  });
  store.beforeWrite = kept.write;
  if (unfitCount > 0) {
    console.error(
      `${unfitCount} of ${itemCount} kept items no longer fit their tables: they stay in ${kept.path}, unused.`,
    );
  }
  return itemCount > 0;
}

/** Puts an item into its table, unless the table or its keys have changed so that the item does not fit. */
async function isPutBack(store: DynaliteStore, { table, item }: Write): Promise<boolean> {
  try {
    await callStore(store, 'PutItem', { TableName: table, Item: item });
    return true;
  } catch (error) {
    if (isRejection(error)) return false;
    throw error;
  }
}

async function callStore(store: DynaliteStore, name: string, input: Call): Promise<unknown> {
  const { action, call } = prepare(store, name, input);
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  // On malformed input, dynalite throws in callbacks, where nothing else catches the error.
  process.setUncaughtExceptionCaptureCallback((error) => {
    if (inDynalite.getStore()) return reject(error);
    // It is none of dynalite's: end the process, as if nothing had captured the exception.
    process.setUncaughtExceptionCaptureCallback(null);
    process.nextTick(() => {
      throw error;
    });
  });
  try {
    inDynalite.run(true, () =>
      action(store, call, (error, output) => (error ? reject(error) : resolve(output))),
    );
    return await promise;
  } finally {
    process.setUncaughtExceptionCaptureCallback(null);
  }
}

/** Finds an operation and validates its input, which is malformed if dynalite's validation itself throws. */
function prepare(
  store: DynaliteStore,
  name: string,
  input: Call,
): { action: Operation['action']; call: Call } {
  const operation = operations.get(name);
  if (!operation) throw rejection('UnknownOperationException', 'The operation is unknown.');
  for (const [field, value] of Object.entries(input)) {
    if (field.endsWith('Expression') && depthOf(String(value)) > maxDepth) {
      const message = `The local API supports at most ${maxDepth} nested parentheses in ${field}.`;
      throw rejection('ValidationException', message);
    }
  }
  const { types, custom } = operation.validation;
  try {
    const call = validations.checkTypes(input, types);
    validations.checkValidations(call, types, custom, store);
    return { action: operation.action, call };
  } catch (error) {
    if (isRejection(error)) throw error;
    throw rejection('SerializationException', 'The call is malformed.');
  }
}

/** Returns how deep parentheses are nested. */
function depthOf(expression: string): number {
  let depth = 0;
  let deepest = 0;
  for (const character of expression) {
    if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

const isRejection = (error: unknown) => error instanceof Error && 'statusCode' in error;

/** Returns an error like those dynalite throws to reject a call. */
export const rejection = (type: string, message: string) =>
  Object.assign(new Error(message), {
    statusCode: 400,
    body: { __type: `com.amazon.coral.service#${type}`, message },
  });
