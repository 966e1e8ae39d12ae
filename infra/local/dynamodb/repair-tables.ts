import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  DynamoDBDocumentClient,
  type NativeAttributeValue,
  PutCommand,
  paginateScan,
} from '@aws-sdk/lib-dynamodb';
import { exactIntegers } from '../../../shared/lambda/exact-integers.ts';
import type { Resource } from '../template/read-template.ts';

type Table = Resource<'AWS::DynamoDB::GlobalTable'>;
type Item = Record<string, NativeAttributeValue>;

/**
 * Takes back what a process that was killed has left half written: the embedded DynamoDB writes an item into an index
 * before it writes it into the table, and DynamoDB itself never shows the one without the other. Nobody was told that
 * it was written.
 */
export async function repairTables(client: DynamoDBClient, tables: readonly Table[]): Promise<void> {
  const dynamodb = DynamoDBDocumentClient.from(client, exactIntegers);
  for (const table of tables) {
    const [index] = table.properties.GlobalSecondaryIndexes ?? [];
    if (!index) continue;

    const written = new Set<string>();
    for await (const item of itemsOf(dynamodb, table)) written.add(nameOf(item, table));
    for await (const Item of itemsOf(dynamodb, table, index.IndexName)) {
      if (written.has(nameOf(Item, table))) continue;
      // What is deleted from the table is deleted from the index too, but it must be in the table.
      await dynamodb.send(new PutCommand({ TableName: table.id, Item }));
      await dynamodb.send(new DeleteCommand({ TableName: table.id, Key: keyOf(Item, table) }));
    }
  }
}

async function* itemsOf(
  client: DynamoDBDocumentClient,
  { id: TableName }: Table,
  IndexName?: string,
): AsyncGenerator<Item> {
  for await (const { Items = [] } of paginateScan({ client }, { TableName, IndexName })) yield* Items;
}

const keyOf = (item: Item, { properties }: Table) =>
  Object.fromEntries(properties.KeySchema.map(({ AttributeName }) => [AttributeName, item[AttributeName]]));

const nameOf = (item: Item, table: Table) => Object.values(keyOf(item, table)).join();
