import { AbstractKeyIterator, type AbstractLevel, AbstractValueIterator } from 'abstract-level';
import db from 'dynalite/db/index.js';
import deleteItem from 'dynalite/validations/deleteItem.js';
import putItem from 'dynalite/validations/putItem.js';
import updateItem from 'dynalite/validations/updateItem.js';
import type { Resource } from '../template/read-template.ts';

export type Call = Readonly<Record<string, unknown>>;

/** Attribute values by name, such as `{ name: { S: 'Bella' } }`. */
export type Item = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export type TableDescription = Pick<
  Resource<'AWS::DynamoDB::GlobalTable'>['properties'],
  'AttributeDefinitions' | 'GlobalSecondaryIndexes' | 'KeySchema'
> & { readonly TableName: string };

interface Operation {
  readonly type: 'put' | 'del';
  readonly key: string;
  readonly value?: unknown;
}

type Done = (error: Error | null) => void;

type Locked = (release: (done: unknown) => unknown) => void;

/** The store in which dynalite keeps its tables: LevelDB, in a folder or in memory. */
export interface DynaliteStore {
  getItemDb(table: string): { lock(key: unknown, locked: Locked): void };
  /** The index entries to write with the next item. */
  indexOperations?: readonly Operation[];
  readonly db: Pick<AbstractLevel<string, string, unknown>, 'open' | 'close' | 'get'> & {
    batch(operations: readonly Operation[], done: Done): void;
    put(key: string, value: unknown, done: Done): void;
    del(key: string, done: Done): void;
  };
}

/**
 * Opens a store in `folder`, or in memory without one. It writes an item together with its index entries.
 *
 * @throws {Error} if LevelDB can't open the folder
 */
export async function openStore(folder?: string, createIfMissing = true): Promise<DynaliteStore> {
  const store = db.create({ ...(folder !== undefined && { path: folder }), createTableMs: 0 });
  await store.db.open({ createIfMissing });

  const writeItem = (operation: Operation, done: Done) =>
    store.db.batch([...(store.indexOperations ?? []), operation], done);
  Object.assign(store.db, {
    put: (key, value, done) => writeItem({ type: 'put', key, value }, done),
    del: (key, done) => writeItem({ type: 'del', key }, done),
  } satisfies Partial<DynaliteStore['db']>);

  const { getItemDb } = store;
  // Calls run one at a time, so a failed one need not leave its keys locked.
  const lock = (_key: unknown, locked: Locked) => locked((done) => done);
  return Object.assign(store, { getItemDb: (table: string) => Object.assign(getItemDb(table), { lock }) });
}

// A stored key or value would keep its pool alive, with the buffers of requests in it.
Buffer.poolSize = 0;

// dynalite accepts an empty string: https://github.com/architect/dynalite/issues/184
const { validateItem } = db;
db.validateItem = (item, table) =>
  validateItem(item, table) ??
  db.traverseIndexes(table, (key, type, { IndexName }) => {
    if (item[key]?.[type] !== '') return undefined;
    return db.validationError(
      `One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty ${type === 'S' ? 'string' : 'binary'} value. IndexName: ${IndexName}, IndexKey: ${key}`,
    );
  });

// dynalite would write index entries first, and the process may be killed before it writes the item. Here,
// the entries are written with the item, within `done`.
db.updateIndexes = (store, table, existingItem, item, done) => {
  const invalid = item && db.validateItem(item, table);
  if (invalid) return done(invalid);
  const { GlobalSecondaryIndexes = [], TableName } = table;
  const { puts, deletes } = db.getIndexActions(GlobalSecondaryIndexes, existingItem, item, table);
  store.indexOperations = [...deletes, ...puts].map(({ index, key, item: value }) => ({
    type: value ? 'put' : 'del',
    key: `index-global~${TableName}~${index}~${key}`,
    value,
  }));
  done();
  store.indexOperations = [];
};

// dynalite lacks this parameter: https://github.com/architect/dynalite/issues/182
for (const { types } of [putItem, updateItem, deleteItem]) {
  types['ReturnValuesOnConditionCheckFailure'] = { type: 'String', enum: ['ALL_OLD', 'NONE'] };
}
const { checkConditional } = db;
db.checkConditional = (call, item) => {
  const failure = checkConditional(call, item);
  if (failure && call['ReturnValuesOnConditionCheckFailure'] === 'ALL_OLD') failure.body['Item'] = item;
  return failure;
};

// dynalite calls `return`, which LevelDB's iterators lack: every page of a list would stay in memory.
for (const { prototype } of [AbstractKeyIterator, AbstractValueIterator]) {
  Object.assign(prototype, { return: prototype.close });
}
