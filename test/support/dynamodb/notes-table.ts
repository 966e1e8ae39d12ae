import type { DeclaredTable } from '../../../infra/local/dynamodb/dynalite-tables.ts';

/** Returns a declared table of notes with an index by a text attribute, which is its partition key by default. */
export const notesTable = (
  attribute = 'status',
  { id = 'Notes', indexKey = [attribute, 'id'] } = {},
): DeclaredTable => ({
  id,
  properties: {
    AttributeDefinitions: [
      { AttributeName: 'id', AttributeType: 'N' },
      { AttributeName: attribute, AttributeType: 'S' },
    ],
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    GlobalSecondaryIndexes: [
      {
        IndexName: `by-${attribute}`,
        KeySchema: indexKey.map((AttributeName, place) => ({
          AttributeName,
          KeyType: place === 0 ? 'HASH' : 'RANGE',
        })),
        Projection: { ProjectionType: 'ALL' },
      },
    ],
  },
});
