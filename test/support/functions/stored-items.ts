import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  DynamoDBDocumentClient,
  type NativeAttributeValue,
  PutCommand,
  ScanCommand,
} from '@aws-sdk/lib-dynamodb';
import { inject } from 'vitest';
import { environmentVariable } from '../../../shared/lambda/init.ts';
import { exactNumbers } from '../../../shared/tables/dynamodb.ts';
import { namesOf, type TableDefinition } from '../../../shared/tables/table.ts';

/** The tests' own client of the embedded DynamoDB. */
export const dynamodb = DynamoDBDocumentClient.from(
  new DynamoDBClient({ endpoint: inject('dynamodbEndpoint') }),
  exactNumbers,
);

export type Item = Record<string, NativeAttributeValue>;

const nameOf = ({ nameVariable }: TableDefinition) => environmentVariable(nameVariable);

/** Puts an item into a table as it is. */
export async function putItem(table: TableDefinition, Item: Item): Promise<Item> {
  await dynamodb.send(new PutCommand({ TableName: nameOf(table), Item }));
  return Item;
}

export async function allItems(table: TableDefinition): Promise<readonly Item[]> {
  const { Items = [] } = await dynamodb.send(new ScanCommand({ TableName: nameOf(table) }));
  return Items;
}

export async function removeEveryItem(table: TableDefinition): Promise<void> {
  const keyOf = (item: Item) => Object.fromEntries(namesOf(table.key).map((name) => [name, item[name]]));
  const items = await allItems(table);
  await Promise.all(
    items.map((item) => dynamodb.send(new DeleteCommand({ TableName: nameOf(table), Key: keyOf(item) }))),
  );
}
