import {
  type AttributeValue,
  type DynamoDBClient,
  PutItemCommand,
  paginateScan,
} from '@aws-sdk/client-dynamodb';
import type { Resource } from '../template/read-template.ts';

type Table = Resource<'AWS::DynamoDB::Table'>;
type Item = Record<string, AttributeValue>;

/**
 * Completes what a process that was killed has left half written: the embedded DynamoDB writes an item into an index
 * before it writes it into the table, and DynamoDB itself never shows the one without the other.
 */
export async function repairTables(dynamodb: DynamoDBClient, tables: readonly Table[]): Promise<void> {
  for (const table of tables) {
    const [index] = table.properties.GlobalSecondaryIndexes ?? [];
    if (!index) continue;

    const written = new Set<string>();
    for await (const item of itemsOf(dynamodb, table)) written.add(keyOf(item, table));
    for await (const Item of itemsOf(dynamodb, table, index.IndexName)) {
      if (written.has(keyOf(Item, table))) continue;
      await dynamodb.send(new PutItemCommand({ TableName: table.id, Item }));
    }
  }
}

async function* itemsOf(
  client: DynamoDBClient,
  { id: TableName }: Table,
  IndexName?: string,
): AsyncGenerator<Item> {
  for await (const { Items = [] } of paginateScan({ client }, { TableName, IndexName })) yield* Items;
}

const keyOf = (item: Item, { properties }: Table) =>
  JSON.stringify(properties.KeySchema.map(({ AttributeName }) => item[AttributeName]));
