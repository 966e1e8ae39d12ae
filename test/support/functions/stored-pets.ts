import { randomUUID } from 'node:crypto';
import {
  type AttributeValue,
  DeleteItemCommand,
  DynamoDBClient,
  PutItemCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import type { Pet, PetStatus } from '../../../shared/contract/pet.ts';
import { environmentVariable } from '../../../shared/lambda/environment.ts';
import { insertPet } from '../../../shared/tables/pets-table.ts';
import { petsTable } from '../../../shared/tables/table-definitions.ts';

const dynamodb = new DynamoDBClient();
const TableName = environmentVariable(petsTable.nameVariable);

type Item = Record<string, AttributeValue>;

/** Stores a pet of each status, and gives them in the order of their ids. */
export async function storePets(statuses: readonly PetStatus[]): Promise<readonly Pet[]> {
  const stored = await Promise.all(
    statuses.map((status, index) =>
      insertPet({ name: `Pet ${index}`, categoryId: 1n, status }, { client: 'acme', key: randomUUID() }),
    ),
  );
  return stored.map(({ pet }) => pet).sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** An item as the service stores it. */
export const petItem = (id: bigint): Item => ({
  id: { N: `${id}` },
  name: { S: 'Bella' },
  categoryId: { N: '1' },
  status: { S: 'sold' },
  creationDigest: { S: 'of another creation' },
  payloadDigest: { S: 'of another pet' },
});

/** Puts an item as it is. */
export async function putItem(item: Item): Promise<void> {
  await dynamodb.send(new PutItemCommand({ TableName, Item: item }));
}

/** Everything in the table. */
export async function allItems(): Promise<readonly Item[]> {
  const { Items = [] } = await dynamodb.send(new ScanCommand({ TableName }));
  return Items;
}

export async function removeEveryPet(): Promise<void> {
  const items = await allItems();
  await Promise.all(
    items.map(({ id }) => dynamodb.send(new DeleteItemCommand({ TableName, Key: { id: id ?? { N: '0' } } }))),
  );
}
