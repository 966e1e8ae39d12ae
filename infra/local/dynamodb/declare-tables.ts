import { promisify } from 'node:util';
import type { Resource } from '../template/read-template.ts';
import type { Call, DynaliteStore } from './dynalite-store.ts';

export type DeclaredTable = Resource<'AWS::DynamoDB::GlobalTable'>;

/**
 * Creates a missing table, and reports one that is declared differently than when it was created. `validate`
 * throws if DynamoDB would not create the table.
 */
export async function declareTable(
  store: DynaliteStore,
  validate: (input: Call) => void,
  { id, properties }: DeclaredTable,
): Promise<void> {
  const { AttributeDefinitions, BillingMode, GlobalSecondaryIndexes, KeySchema } = properties;
  const key = `table~${id}`;
  const table = { TableName: id, AttributeDefinitions, BillingMode, GlobalSecondaryIndexes, KeySchema };
  validate({ ...table });
  const declared = { ...table, TableStatus: 'ACTIVE' };

  const existing = await store.db.get(key);
  if (existing === undefined) {
    await promisify(store.db.batch)([{ type: 'put', key, value: declared }]);
  } else if (JSON.stringify(existing) !== JSON.stringify(declared)) {
    console.error(
      `${id} keeps its keys and indexes, which are now declared differently. Start again for the new ones, with another directory if you use --data.`,
    );
  }
}
