import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { namesOf, openTable, type TableDefinition } from '../../../shared/tables/table.ts';
import { declaredTable } from '../dynamodb/declared-table.ts';
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
  const { id, nameVariable, key, keyTypes } = definition;
  const name = `${id}-${randomUUID()}`;
  const indexes = Object.entries(definition.indexes).map(([index, indexKey]) => [index, namesOf(indexKey)]);
  const table = declaredTable(name, keyTypes, namesOf(key), Object.fromEntries(indexes));
  await createTables(new DynamoDBClient(), [table]);
  process.env[nameVariable] = name;
  return openTable(definition);
}
