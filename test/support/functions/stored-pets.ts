import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  DeleteCommand,
  DynamoDBDocumentClient,
  type NativeAttributeValue,
  type NumberValue,
  PutCommand,
  ScanCommand,
} from '@aws-sdk/lib-dynamodb';
import { inject } from 'vitest';
import { examplePet } from '../../../shared/contract/operations.ts';
import { environmentVariable } from '../../../shared/lambda/environment.ts';
import { exactNumbers } from '../../../shared/lambda/exact-numbers.ts';
import { tables } from '../../../shared/tables/table-definitions.ts';

/** The tests' own client of the embedded DynamoDB. */
export const dynamodb = DynamoDBDocumentClient.from(
  new DynamoDBClient({ endpoint: inject('dynamodbEndpoint') }),
  exactNumbers,
);

const TableName = environmentVariable(tables.pets.nameVariable);

type Item = Record<string, NativeAttributeValue>;

const { id: _id, ...bella } = examplePet;

/** Puts an item into the table of pets as it is. */
export async function putItem(Item: Item): Promise<Item> {
  await dynamodb.send(new PutCommand({ TableName, Item }));
  return Item;
}

/** Puts a pet as the service stores it, except for some attributes, and returns the item. */
export const putPet = (id: bigint | NumberValue, attributes: Item = {}): Promise<Item> =>
  putItem({ ...bella, status: 'sold', digest: new Uint8Array(32).fill(1), ...attributes, id });

/** Stores pets that are sold, and returns them in the order of their ids. */
export async function storePets(count: number): Promise<readonly Item[]> {
  const ids = Array.from({ length: count }, (_, index) => BigInt(index + 1));
  const items = await Promise.all(ids.map((id) => putPet(id)));
  return items.map(({ digest: _digest, ...pet }) => pet);
}

export async function allItems(): Promise<readonly Item[]> {
  const { Items = [] } = await dynamodb.send(new ScanCommand({ TableName }));
  return Items;
}

export async function removeEveryPet(): Promise<void> {
  const items = await allItems();
  await Promise.all(items.map(({ id }) => dynamodb.send(new DeleteCommand({ TableName, Key: { id } }))));
}
