import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { ApiError } from '../contract/errors/error-table.ts';
import type { ListPetsQuery } from '../contract/schemas/list-pets-query.ts';
import { type NewPet, Pet } from '../contract/schemas/pet.ts';
import { dynamodb, existingItem } from '../lambda/dynamodb.ts';
import { environmentVariable } from '../lambda/environment.ts';
import { type Creation, creationDigest, isSameCreation, petIdOf } from './creation.ts';
import { type PageRequest, readPage } from './page.ts';
import { type Item, parseItem } from './stored-item.ts';
import { statusIndex, tables } from './table-definitions.ts';

const TableName = environmentVariable(tables.pets.nameVariable);

/** A pet is stored field by field, with the digest of its creation, which is never returned. */
const StoredPet = v.object({ ...Pet.entries, digest: v.pipe(v.instance(Uint8Array), v.length(32)) });

/** A page of pets, with the filters of the list. */
type PetPageRequest = PageRequest & Readonly<Partial<Omit<ListPetsQuery, 'limit' | 'cursor'>>>;

/**
 * Writes a new pet exactly once, however often the same creation is repeated.
 *
 * @throws {ApiError} `idempotency_key_reused` if the client sent the key with another body, and
 *   `service_unavailable` while DynamoDB is unreachable or throttling
 */
export async function insertPet(newPet: NewPet, creation: Creation) {
  const digest = creationDigest(creation);

  for (let attempt = 0; ; attempt += 1) {
    const pet = { id: petIdOf(creation, attempt), ...newPet };
    const existingItem = await putIf('attribute_not_exists', { ...pet, digest });
    if (!existingItem) return { pet, isReplay: false };

    const { digest: existingDigest, ...existing } = parseItem('pets', StoredPet, existingItem);
    if (!isSameCreation(existingDigest, digest)) continue;
    if (Buffer.compare(existingDigest, digest) !== 0) throw new ApiError('idempotency_key_reused');
    return { pet: existing, isReplay: true };
  }
}

/** Makes the same call as `insertPet` without writing: no pet has the id 0 that the condition requires. */
export async function insertNothing(): Promise<void> {
  await putIf('attribute_exists', { id: 0n });
}

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
  const pets = { table: 'pets', tableName: TableName, schema: Pet } as const;
  if (status === undefined) return readPage(pets, page);
  return readPage({ ...pets, index: statusIndex, partition: ['status', status] }, page);
}

/** Puts an item if `condition` holds for its id; if not, returns the existing item. */
async function putIf(
  condition: 'attribute_exists' | 'attribute_not_exists',
  Item: Item,
): Promise<Item | undefined> {
  const put = new PutCommand({
    TableName,
    Item,
    ConditionExpression: `${condition}(id)`,
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  try {
    await dynamodb.send(put);
    return undefined;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return existingItem(error);
    throw error;
  }
}
