import type { DeclaredTable } from '../../../infra/local/dynamodb/dynalite-tables.ts';

/** Returns a declared table of notes with an index by a text attribute. */
export const notesTable = (attribute = 'status'): DeclaredTable => ({
  id: 'Notes',
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
        KeySchema: [
          { AttributeName: attribute, KeyType: 'HASH' },
          { AttributeName: 'id', KeyType: 'RANGE' },
        ],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
  },
});
