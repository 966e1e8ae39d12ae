import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { ListPetsQuery } from '../contract/schemas/list-pets-query.ts';
import { type NewPet, Pet } from '../contract/schemas/pet.ts';
import { dynamodb } from '../lambda/dynamodb.ts';
import { environmentVariable } from '../lambda/environment.ts';
import type { Creation } from './creation.ts';
import { insertNothing, insertOnce } from './insert-once.ts';
import { type PageRequest, readPage } from './page.ts';
import { parseItem } from './stored-item.ts';
import { statusIndex, tables } from './table-definitions.ts';

const TableName = environmentVariable(tables.pets.nameVariable);
const pets = { table: 'pets', tableName: TableName, schema: Pet } as const;

/** A page of pets, with the filters of the list. */
type PetPageRequest = PageRequest & Readonly<Partial<Omit<ListPetsQuery, 'limit' | 'cursor'>>>;

/** Writes a new pet exactly once, as `insertOnce` says. */
export const insertPet = (newPet: NewPet, creation: Creation) =>
  insertOnce(pets, creation, (id) => ({ id, ...newPet }));

/** Makes the same call as `insertPet`, and never writes. */
export const insertNoPet = () => insertNothing(pets);

/**
 * Reads a pet consistently: a created pet is found immediately.
 *
 * @throws {ApiError} `service_unavailable` while DynamoDB is unreachable or throttling
 * @throws {Error} if the pet is damaged, after logging it
 */
export async function readPet(id: bigint): Promise<Pet | undefined> {
  const { Item } = await dynamodb.send(new GetCommand({ TableName, Key: { id }, ConsistentRead: true }));
  return Item && parseItem('pets', Pet, Item);
}

/** Reads a page of all pets, or of those with a status. */
export function readPetPage({ status, ...page }: PetPageRequest) {
  if (status === undefined) return readPage(pets, page);
  return readPage({ ...pets, index: statusIndex, partition: status }, page);
}
