import type { DeclaredTable } from '../../../infra/local/dynamodb/declare-tables.ts';

/** Returns a declared table of pets with indexes by text attributes. */
export const petsTable = (
  attributes: readonly string[] = ['status'],
  keyType: 'N' | 'S' = 'N',
): DeclaredTable => ({
  id: 'Pets',
  properties: {
    AttributeDefinitions: [
      { AttributeName: 'id', AttributeType: keyType },
      ...attributes.map((AttributeName) => ({ AttributeName, AttributeType: 'S' as const })),
    ],
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    GlobalSecondaryIndexes: attributes.map((attribute) => ({
      IndexName: `by-${attribute}`,
      KeySchema: [
        { AttributeName: attribute, KeyType: 'HASH' },
        { AttributeName: 'id', KeyType: 'RANGE' },
      ],
      Projection: { ProjectionType: 'ALL' },
    })),
  },
});
