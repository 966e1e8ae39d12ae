import { AbstractKeyIterator, type AbstractLevel, AbstractValueIterator } from 'abstract-level';
import db from 'dynalite/db/index.js';
import deleteItem from 'dynalite/validations/deleteItem.js';
import putItem from 'dynalite/validations/putItem.js';
import updateItem from 'dynalite/validations/updateItem.js';
import type { StoredItem, Write } from './kept-data.ts';

export type Call = Readonly<Record<string, unknown>>;

type Locked = (release: (done: unknown) => unknown) => void;

/** The store in which dynalite keeps its tables, in memory. */
export interface DynaliteStore {
  getItemDb: (table: string) => { lock(key: unknown, locked: Locked): void };
  readonly db: Pick<AbstractLevel<string, string, unknown>, 'get' | 'put'>;
  /** Is called with each write before it is applied. If it throws, the write fails. */
  beforeWrite: (write: Write) => void;
}

/**
 * The most bytes of a text in a key, which cannot be empty either.
 *
 * @see https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html#limits-partition-sort-keys
 */
const maxKeyBytes = { partition: 2048, sort: 1024 } as const;

/** Those that this module has created: dynalite's functions may have been replaced by another copy of it. */
const stores = new WeakSet<DynaliteStore>();

export function createStore(): DynaliteStore {
  const store: DynaliteStore = db.create({ createTableMs: 0 });
  const { getItemDb } = store;
  // Calls run one at a time, so a failed one need not leave its keys locked.
  const lock = (_key: unknown, locked: Locked) => locked((done) => done);
  store.getItemDb = (table: string) => Object.assign(getItemDb(table), { lock });
  store.beforeWrite = () => undefined;
  stores.add(store);
  return store;
}

/**
 * Returns why DynamoDB would reject an item for a text in an index's key. dynalite accepts an empty one
 * (https://github.com/architect/dynalite/issues/184) and one of any length
 * (https://github.com/architect/dynalite/issues/35).
 */
const invalidIndexKey = (table: object, item: StoredItem) =>
  db.traverseIndexes(table, (key, type, { IndexName, KeySchema }) => {
    const value = item[key]?.[type];
    if (typeof value !== 'string' || type === 'N') return undefined;
    if (value === '') {
      return db.validationError(
        `One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty ${type === 'S' ? 'string' : 'binary'} value. IndexName: ${IndexName}, IndexKey: ${key}`,
      );
    }
    const size = Buffer.byteLength(value, type === 'S' ? 'utf8' : 'base64');
    const isPartitionKey = KeySchema[0]?.AttributeName === key;
    const maxSize = isPartitionKey ? maxKeyBytes.partition : maxKeyBytes.sort;
    if (size <= maxSize) return undefined;
    return db.validationError(
      `One or more parameter values were invalid: Size limit exceeded for Index Key ${key} Actual Size: ${size} bytes Max Size: ${maxSize} bytes IndexName: ${IndexName}`,
    );
  });

const { updateIndexes } = db;
db.updateIndexes = (store, table, existingItem, item, done) => {
  const invalid = item && invalidIndexKey(table, item);
  if (invalid) return done(invalid);

  // Every write of an item gets here once its condition holds, and no other call does.
  const written = item ?? existingItem;
  if (!written) return done();
  if (!stores.has(store)) return updateIndexes(store, table, existingItem, item, done);
  const keyNames = table.KeySchema.map(({ AttributeName }) => AttributeName);
  const key = `${keyNames.join()} ${db.createKey(written, table)}`;
  try {
    store.beforeWrite({ table: table.TableName, key, ...(item && { item }) });
  } catch (error) {
    return done(error);
  }
  updateIndexes(store, table, existingItem, item, done);
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

// dynalite calls `return`, which the store's iterators lack: every page of a list would stay in memory.
for (const { prototype } of [AbstractKeyIterator, AbstractValueIterator]) {
  Object.assign(prototype, { return: prototype.close });
}
