import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { ApiError } from '../contract/errors/error-table.ts';
import type { PetFilter } from '../contract/schemas/list-pets-query.ts';
import type { Filter } from '../contract/schemas/page-cursor.ts';
import { type NewPet, Pet } from '../contract/schemas/pet.ts';
import { dynamodb } from '../lambda/dynamodb.ts';
import { environmentVariable } from '../lambda/environment.ts';
import type { Creation } from './creation.ts';
import { insertNothing, insertOnce } from './insert-once.ts';
import { type PageRequest, readPage } from './page.ts';
import { parseItem } from './stored-item.ts';
import { petFilters, tables } from './table-definitions.ts';

const TableName = environmentVariable(tables.pets.nameVariable);
const pets = { table: 'pets', tableName: TableName, schema: Pet } as const;

/** A page of pets, with the filters of the list. */
type PetPageRequest = PageRequest & Readonly<Partial<PetFilter>>;

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

/**
 * Reads a page of all pets, or of those that a filter selects.
 *
 * @throws {ApiError} as `readPage` does, and `invalid_query` if there are several filters, because an index
 *   serves only one
 */
export function readPetPage({ limit, after, ...filter }: PetPageRequest) {
  const values: Filter = filter;
  const given = Object.entries(petFilters).flatMap(([name, index]) => {
    const partition = values[name];
    return partition === undefined ? [] : [{ name, index, partition }];
  });
  const [first, ...others] = given;
  if (!first) return readPage(pets, { limit, after });
  if (others.length > 0) throw severalFilters(given.map(({ name }) => name).join(', '));
  return readPage({ ...pets, index: first.index, partition: first.partition }, { limit, after });
}

const severalFilters = (names: string) =>
  new ApiError('invalid_query', `Send only one of ${names}.`, { details: { invalid: names } });
