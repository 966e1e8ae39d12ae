import { isDeepStrictEqual, promisify } from 'node:util';
import db from 'dynalite/db/index.js';
import * as v from 'valibot';
import type { Resource } from '../template/read-template.ts';
import { TableKeys } from '../template/resource-types.ts';
import {
  type Call,
  type DynaliteStore,
  Item,
  indexOperationsOf,
  range,
  type TableDescription,
} from './dynalite-store.ts';

export type DeclaredTable = Resource<'AWS::DynamoDB::GlobalTable'>;

/**
 * Creates a missing table, and rebuilds indexes whose declarations have changed, while no other call is in
 * progress. Key changes are reported, but not made. `validate` throws if DynamoDB would not create the table.
 */
export async function declareTable(
  store: DynaliteStore,
  validate: (input: Call) => void,
  { id, properties }: DeclaredTable,
): Promise<void> {
  const { AttributeDefinitions, BillingMode, GlobalSecondaryIndexes, KeySchema } = properties;
  const key = `table~${id}`;
  const table = { TableName: id, AttributeDefinitions, BillingMode, GlobalSecondaryIndexes, KeySchema };
  const declared = { ...table, TableStatus: 'ACTIVE' };
  validate({ ...table });

  const previous = await store.db.get(key);
  if (JSON.stringify(previous) === JSON.stringify(declared)) return;
  if (v.is(TableKeys, previous) && !isDeepStrictEqual(keysOf(previous), keysOf(declared))) {
    console.error(
      `The keys of ${id} can't be changed. Start with another data directory to use the new ones.`,
    );
    return;
  }

  // Until its indexes are complete, the table is missing.
  const write = promisify(store.db.batch);
  await write([{ type: 'del', key }]);
  await buildIndexes(store, table);
  await write([{ type: 'put', key, value: declared }]);
}

const keysOf = ({ AttributeDefinitions, KeySchema }: v.InferOutput<typeof TableKeys>) =>
  KeySchema.map((part) => [
    part,
    AttributeDefinitions.find(({ AttributeName }) => AttributeName === part.AttributeName),
  ]);

async function buildIndexes(store: DynaliteStore, table: TableDescription): Promise<void> {
  const write = promisify(store.db.batch);
  await store.db.clear(range(`index-global~${table.TableName}~`));

  for await (const [, item] of store.db.iterator(range(`item-${table.TableName}~`))) {
    for (const index of table.GlobalSecondaryIndexes ?? []) {
      const withIndex = { ...table, GlobalSecondaryIndexes: [index] };
      // As in DynamoDB, indexes omit items whose attributes can't be their keys.
      if (v.is(Item, item) && !db.validateItem(item, withIndex)) {
        await write(indexOperationsOf(withIndex, undefined, item));
      }
    }
  }
}
