import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { namesOf, openTable, type TableDefinition } from '../../../shared/tables/table.ts';
import { createTables } from '../setup/create-tables.ts';

// Two neutral tables, one with numbers as keys and one with a key of two texts.

/** A shelf in a room. */
export const Shelf = v.object({
  id: v.pipe(v.bigint(), v.minValue(1n), v.maxValue(99n)),
  room: v.string(),
  label: v.optional(v.string()),
});
export type Shelf = v.InferOutput<typeof Shelf>;

export const shelfTable = {
  id: 'shelves',
  nameVariable: 'SHELVES_TABLE',
  schema: Shelf,
  key: { partition: 'id' },
  indexes: { byRoom: { partition: 'room', sort: 'id' } },
  keyTypes: { id: 'N', room: 'S' },
} as const satisfies TableDefinition<Shelf>;

/** A book of an owner. The state of its owner's books is only in a key. */
export const Book = v.object({
  owner: v.string(),
  title: v.string(),
  year: v.bigint(),
  state: v.picklist(['there', 'lent']),
  note: v.optional(v.string()),
});
export type Book = v.InferOutput<typeof Book>;

export const bookTable = {
  id: 'books',
  nameVariable: 'BOOKS_TABLE',
  schema: Book,
  key: { partition: 'owner', sort: 'title' },
  indexes: {
    byYear: { partition: 'owner', sort: 'year' },
    byOwnerAndState: { partition: 'ownerAndState' },
  },
  keyTypes: { owner: 'S', title: 'S', year: 'N', ownerAndState: 'S' },
} as const satisfies TableDefinition<Book>;

/** Creates a table in the embedded DynamoDB, and opens it. */
export async function createTable<const Definition extends TableDefinition>(definition: Definition) {
  const { id, nameVariable, key, indexes, keyTypes } = definition;
  const name = `${id}-${randomUUID()}`;
  const schemaOf = (names: readonly string[]) =>
    names.map(
      (AttributeName, index) => ({ AttributeName, KeyType: index === 0 ? 'HASH' : 'RANGE' }) as const,
    );
  const properties = {
    AttributeDefinitions: Object.entries(keyTypes).map(([AttributeName, AttributeType]) => ({
      AttributeName,
      AttributeType,
    })),
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: schemaOf(namesOf(key)),
    GlobalSecondaryIndexes: Object.entries(indexes).map(([IndexName, indexKey]) => ({
      IndexName,
      KeySchema: schemaOf(namesOf(indexKey)),
      Projection: { ProjectionType: 'ALL' as const },
    })),
  } as const;
  await createTables(new DynamoDBClient(), [{ id: name, properties }]);
  process.env[nameVariable] = name;
  return openTable(definition);
}
