import { AbstractKeyIterator, AbstractValueIterator } from 'abstract-level';
import db from 'dynalite/db/index.js';
import putItem from 'dynalite/validations/putItem.js';
import type { Resource } from '../template/read-template.ts';

/** The input of a call. */
export type Call = Readonly<Record<string, unknown>>;

/** The part of a table's description that says what is stored where. */
export type TableDescription = Pick<
  Resource<'AWS::DynamoDB::GlobalTable'>['properties'],
  'AttributeDefinitions' | 'GlobalSecondaryIndexes' | 'KeySchema'
> & { readonly TableName: string };

/** A write of one entry. */
export type Operation =
  | { readonly type: 'put'; readonly key: string; readonly value: unknown }
  | { readonly type: 'del'; readonly key: string };

type Done = (error: Error | null) => void;
type Range = { readonly gte: string; readonly lt: string };

/** The store in which dynalite keeps its tables: LevelDB, in a folder or in memory. */
export interface DynaliteStore {
  /** What the write of an item that is about to happen writes into the indexes. */
  indexOperations?: readonly Operation[];
  readonly db: {
    open(options: { readonly createIfMissing: boolean }): Promise<void>;
    close(): Promise<void>;
    get(key: string): Promise<unknown>;
    iterator(range: Range): AsyncIterable<[key: string, value: unknown]>;
    clear(range: Range): Promise<void>;
    batch(operations: readonly Operation[], done: Done): void;
    put(key: string, value: unknown, done: Done): void;
    del(key: string, done: Done): void;
  };
}

/** The range of all keys with a prefix. */
export const range = (prefix: string): Range => ({ gte: prefix, lt: `${prefix}\u00ff` });

/**
 * Opens a store in `folder`, or in memory without one. After a failed write it rejects all writes: LevelDB would
 * acknowledge them, and lose them when it is opened again. Indexes lag behind their tables by `indexLagMs`.
 *
 * @throws {Error} when LevelDB can't open the folder
 */
export async function openStore(folder?: string, createIfMissing = true, indexLagMs = 0) {
  const store = db.create({ ...(folder !== undefined && { path: folder }), createTableMs: 0 });
  await store.db.open({ createIfMissing });

  const write = store.db.batch.bind(store.db);
  let failure: Error | null = null;
  const writeItem = (operation: Operation, done: Done) => {
    const entries = store.indexOperations ?? [];
    store.db.batch(indexLagMs > 0 ? [operation] : [...entries, operation], done);
    if (indexLagMs > 0) setTimeout(() => store.db.batch(entries, () => undefined), indexLagMs).unref();
  };
  Object.assign(store.db, {
    batch(operations, done) {
      if (failure !== null) return void setImmediate(done, failure);
      write(operations, (error: Error | null) => {
        failure ??= error && failed(error);
        done(failure);
      });
    },
    put: (key, value, done) => writeItem({ type: 'put', key, value }, done),
    del: (key, done) => writeItem({ type: 'del', key }, done),
  } satisfies Partial<DynaliteStore['db']>);
  return store;
}

const failed = (cause: Error) =>
  new Error(`A write failed (${cause.message}). Writes are rejected until the local API is started again.`);

/** Returns the writes by which a changed item changes the indexes of its table. */
export function indexOperationsOf(
  table: TableDescription,
  existingItem: unknown,
  item: unknown,
): readonly Operation[] {
  const { GlobalSecondaryIndexes = [], TableName } = table;
  const { puts, deletes } = db.getIndexActions(GlobalSecondaryIndexes, existingItem, item, table);
  const keyOf = (index: string, key: string) => `index-global~${TableName}~${index}~${key}`;
  return [
    ...deletes.map(({ index, key }) => ({ type: 'del' as const, key: keyOf(index, key) })),
    ...puts.map(({ index, key, item: value }) => ({ type: 'put' as const, key: keyOf(index, key), value })),
  ];
}

// dynalite would write an item into the indexes before it writes it into the table: a process that is killed in between
// leaves one without the other. It writes the item within `done`, and so everything is written together.
db.updateIndexes = (store, table, existingItem, item, done) => {
  store.indexOperations = indexOperationsOf(table, existingItem, item);
  done();
  store.indexOperations = [];
};

// dynalite's PutItem lacks this parameter.
putItem.types['ReturnValuesOnConditionCheckFailure'] = { type: 'String', enum: ['ALL_OLD', 'NONE'] };
const { checkConditional } = db;
db.checkConditional = (call, item) => {
  const failure = checkConditional(call, item);
  if (failure && call['ReturnValuesOnConditionCheckFailure'] === 'ALL_OLD') failure.body['Item'] = item;
  return failure;
};

// dynalite ends iterators with `return`, which those of LevelDB lack: every page of a list would stay in memory.
for (const { prototype } of [AbstractKeyIterator, AbstractValueIterator]) {
  Object.assign(prototype, {
    return(this: { close(): Promise<void> }): Promise<void> {
      return this.close();
    },
  });
}
