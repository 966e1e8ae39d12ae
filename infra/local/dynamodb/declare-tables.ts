import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import db from 'dynalite/db/index.js';
import * as v from 'valibot';
import type { Resource } from '../template/read-template.ts';
import { type Call, type DynaliteStore, indexOperationsOf, type Operation, range } from './dynalite-store.ts';

/** A table as a template declares it. */
export type DeclaredTable = Pick<Resource<'AWS::DynamoDB::GlobalTable'>, 'id' | 'properties'>;

/** What a table was declared as when its indexes were built, as JSON. */
const Declared = v.object({ keys: v.string(), indexes: v.string() });
const ActiveTable = v.object({ TableStatus: v.literal('ACTIVE') });

/** How many index entries are written together. */
const batchSize = 1000;

/**
 * Creates a table that is missing, and rebuilds indexes that are declared differently than before. There must not be any
 * other call in progress. A change of its keys is printed, and not made.
 */
export async function declareTable(
  store: DynaliteStore,
  createTable: (input: Call) => Promise<unknown>,
  { id: TableName, properties }: DeclaredTable,
  indexesLag = false,
): Promise<void> {
  const { AttributeDefinitions, BillingMode, GlobalSecondaryIndexes, KeySchema } = properties;
  const [declaration, description] = [`declared~${TableName}`, `table~${TableName}`];
  const keyNames = KeySchema.map(({ AttributeName }) => AttributeName);
  const keyTypes = AttributeDefinitions.filter(({ AttributeName }) => keyNames.includes(AttributeName));
  const keys = JSON.stringify([KeySchema, keyTypes]);
  const indexes = JSON.stringify([GlobalSecondaryIndexes, AttributeDefinitions]);

  const isActive = async () => v.is(ActiveTable, await store.db.get(description));
  const { success, output: previous } = v.safeParse(Declared, await store.db.get(declaration));
  if (success && (await isActive())) {
    if (previous.keys === keys && previous.indexes === indexes) return;
    if (previous.keys !== keys) {
      console.error(
        `The keys of ${TableName} can't be changed. Start with another data directory to use the new ones.`,
      );
      return;
    }
  }

  const write = promisify(store.db.batch);
  await write([declaration, description].map((key) => ({ type: 'del', key })));
  await buildIndexes(store, { id: TableName, properties });
  const input = { TableName, AttributeDefinitions, BillingMode, KeySchema };
  await createTable(GlobalSecondaryIndexes ? { ...input, GlobalSecondaryIndexes } : input);
  while (!(await isActive())) await setImmediate();
  // With a lag, entries may still get lost: then the next start rebuilds the indexes.
  if (!indexesLag) await write([{ type: 'put', key: declaration, value: { keys, indexes } }]);
}

/** Replaces the indexes of a table by those of its items. */
async function buildIndexes(
  store: DynaliteStore,
  { id: TableName, properties }: DeclaredTable,
): Promise<void> {
  const write = promisify(store.db.batch);
  await store.db.clear(range(`index-global~${TableName}~`));

  let operations: Operation[] = [];
  for await (const [, item] of store.db.iterator(range(`item-${TableName}~`))) {
    for (const index of properties.GlobalSecondaryIndexes ?? []) {
      const table = { ...properties, TableName, GlobalSecondaryIndexes: [index] };
      // Like DynamoDB, an index leaves out an item whose attribute has another type than its key.
      if (!db.validateItem(item, table)) operations.push(...indexOperationsOf(table, undefined, item));
    }
    if (operations.length < batchSize) continue;
    await write(operations);
    operations = [];
  }
  await write(operations);
}
