import { setImmediate } from 'node:timers/promises';
import { isDeepStrictEqual, promisify } from 'node:util';
import db from 'dynalite/db/index.js';
import * as v from 'valibot';
import type { Resource } from '../template/read-template.ts';
import { type Call, type DynaliteStore, Item, indexOperationsOf, range } from './dynalite-store.ts';

export type DeclaredTable = Resource<'AWS::DynamoDB::GlobalTable'>;

const ActiveTable = v.object({ TableStatus: v.literal('ACTIVE') });
const Declaration = v.object({ keys: v.string(), indexes: v.string() });

/**
 * Creates a missing table, and rebuilds indexes whose declarations have changed, while no other call is in
 * progress. Key changes are reported, but not made.
 */
export async function declareTable(
  store: DynaliteStore,
  createTable: (input: Call) => Promise<unknown>,
  table: DeclaredTable,
): Promise<void> {
  const TableName = table.id;
  const { AttributeDefinitions, BillingMode, GlobalSecondaryIndexes, KeySchema } = table.properties;
  const [declaration, description] = [`declared~${TableName}`, `table~${TableName}`];
  const isKey = (name: string) => KeySchema.some(({ AttributeName }) => AttributeName === name);
  const keyTypes = AttributeDefinitions.filter(({ AttributeName }) => isKey(AttributeName));
  const declared = {
    keys: JSON.stringify([KeySchema, keyTypes]),
    indexes: JSON.stringify([GlobalSecondaryIndexes, AttributeDefinitions]),
  };

  const isActive = async () => v.is(ActiveTable, await store.db.get(description));
  const previous = (await isActive()) ? await store.db.get(declaration) : undefined;
  if (isDeepStrictEqual(previous, declared)) return;
  if (v.is(Declaration, previous) && previous.keys !== declared.keys) {
    console.error(
      `The keys of ${TableName} can't be changed. Start with another data directory to use the new ones.`,
    );
    return;
  }

  const write = promisify(store.db.batch);
  await write([declaration, description].map((key) => ({ type: 'del', key })));
  await buildIndexes(store, table);
  const input = { TableName, AttributeDefinitions, BillingMode, KeySchema };
  await createTable(GlobalSecondaryIndexes ? { ...input, GlobalSecondaryIndexes } : input);
  while (!(await isActive())) await setImmediate();
  await write([{ type: 'put', key: declaration, value: declared }]);
}

async function buildIndexes(
  store: DynaliteStore,
  { id: TableName, properties }: DeclaredTable,
): Promise<void> {
  const write = promisify(store.db.batch);
  await store.db.clear(range(`index-global~${TableName}~`));

  for await (const [, item] of store.db.iterator(range(`item-${TableName}~`))) {
    for (const index of properties.GlobalSecondaryIndexes ?? []) {
      const table = { ...properties, TableName, GlobalSecondaryIndexes: [index] };
      // As in DynamoDB, indexes omit items whose attributes can't be their keys.
      if (v.is(Item, item) && !db.validateItem(item, table)) {
        await write(indexOperationsOf(table, undefined, item));
      }
    }
  }
}
