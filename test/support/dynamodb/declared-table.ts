import type { DeclaredTable } from '../../../bin/local-api/dynamodb/dynalite-tables.ts';

/** Returns a table as a template declares it. A key or an index has a partition key, and perhaps a sort key. */
export function declaredTable(
  id: string,
  keyTypes: Readonly<Record<string, 'N' | 'S'>>,
  key: readonly string[],
  indexes: Readonly<Record<string, readonly string[]>> = {},
): DeclaredTable {
  const GlobalSecondaryIndexes = Object.entries(indexes).map(([IndexName, indexKey]) => ({
    IndexName,
    KeySchema: schemaOf(indexKey),
    Projection: { ProjectionType: 'ALL' as const },
  }));
  return {
    id,
    properties: {
      AttributeDefinitions: Object.entries(keyTypes).map(([AttributeName, AttributeType]) => ({
        AttributeName,
        AttributeType,
      })),
      BillingMode: 'PAY_PER_REQUEST',
      KeySchema: schemaOf(key),
      ...(GlobalSecondaryIndexes.length > 0 && { GlobalSecondaryIndexes }),
    },
  };
}

const schemaOf = (names: readonly string[]) =>
  names.map((AttributeName, index) => ({ AttributeName, KeyType: index === 0 ? 'HASH' : 'RANGE' }) as const);

/** Returns a table of notes with an index by a text attribute. */
export const notesTable = (attribute = 'status'): DeclaredTable =>
  declaredTable('Notes', { id: 'N', [attribute]: 'S' }, ['id'], { [`by-${attribute}`]: [attribute, 'id'] });
