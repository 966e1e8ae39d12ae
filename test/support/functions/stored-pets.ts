import { randomUUID } from 'node:crypto';
import { DeleteCommand, type NativeAttributeValue, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { Pet, PetStatus } from '../../../shared/contract/schemas/pet.ts';
import { environmentVariable } from '../../../shared/lambda/environment.ts';
import { insertPet } from '../../../shared/tables/pets-table.ts';
import { petsTable } from '../../../shared/tables/table-definitions.ts';
import { dynamodb } from './document-client.ts';

const TableName = environmentVariable(petsTable.nameVariable);

type Item = Record<string, NativeAttributeValue>;

/** Stores a pet of each status, and gives them in the order of their ids. */
export async function storePets(statuses: readonly PetStatus[]): Promise<readonly Pet[]> {
  const stored = await Promise.all(
    statuses.map((status, index) =>
      insertPet({ name: `Pet ${index}`, categoryId: 1n, status }, { client: 'acme', key: randomUUID() }),
    ),
  );
  return stored.map(({ pet }) => pet).sort((a, b) => (a.id < b.id ? -1 : 1));
}

/** Puts a pet as the service stores it, but for these attributes, and gives the item. */
export async function putPet(id: bigint, attributes: Item = {}): Promise<Item> {
  const bella = { name: 'Bella', categoryId: 1n, status: 'sold' };
  const digests = { creationDigest: new Uint8Array(16).fill(1), payloadDigest: new Uint8Array(16).fill(2) };
  const Item = { id, ...bella, ...digests, ...attributes };
  await dynamodb.send(new PutCommand({ TableName, Item }));
  return Item;
}

/** Everything in the table. */
export async function allItems(): Promise<readonly Item[]> {
  const { Items = [] } = await dynamodb.send(new ScanCommand({ TableName }));
  return Items;
}

export async function removeEveryPet(): Promise<void> {
  const items = await allItems();
  await Promise.all(items.map(({ id }) => dynamodb.send(new DeleteCommand({ TableName, Key: { id } }))));
}
