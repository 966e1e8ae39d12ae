import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand, QueryCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { ApiError } from '../contract/errors/error-table.ts';
import { invalidFields } from '../contract/errors/parse.ts';
import type { ListPetsQuery } from '../contract/schemas/list-pets-query.ts';
import { type NewPet, Pet } from '../contract/schemas/pet.ts';
import { dynamodb, existingItem } from '../lambda/dynamodb.ts';
import { environmentVariable } from '../lambda/environment.ts';
import { damagedPetMessage, logError } from '../lambda/log.ts';
import { type Creation, creationDigest, isSameCreation, petIdOf } from './creation.ts';
import { statusIndex, tables } from './table-definitions.ts';

const TableName = environmentVariable(tables.pets.nameVariable);

type Item = Readonly<Record<string, unknown>>;

/** A pet is stored field by field, with the digest of its creation, which is never returned. */
const StoredPet = v.object({ ...Pet.entries, digest: v.pipe(v.instance(Uint8Array), v.length(32)) });

/** A page of `limit` pets after an id, with every query parameter: a new one must be passed on. */
export type PageRequest = Readonly<Required<Omit<ListPetsQuery, 'cursor'>>> & {
  readonly after: bigint | undefined;
};

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

    const { digest: existingDigest, ...existing } = parsePet(StoredPet, existingItem);
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
  return Item && parsePet(Pet, Item);
}

/**
 * Reads a page, at the same cost wherever it starts. A damaged pet is logged and left out. The next page
 * starts after the id `next`, which is undefined on the last page.
 *
 * @throws {ApiError} `service_unavailable` while DynamoDB is unreachable or throttling
 */
export async function readPetPage({ limit, status, after }: PageRequest) {
  const page = { TableName, Limit: limit + 1 };
  const startKey = after === undefined ? undefined : { id: after };

  // A Scan is intended: it stops at the limit, so it costs as little as a Query.
  const { Items = [], LastEvaluatedKey } = await (status === undefined
    ? dynamodb.send(new ScanCommand({ ...page, ExclusiveStartKey: startKey }))
    : dynamodb.send(
        new QueryCommand({
          ...page,
          IndexName: statusIndex,
          KeyConditionExpression: '#status = :status',
          ExpressionAttributeNames: { '#status': 'status' },
          ExpressionAttributeValues: { ':status': status },
          ExclusiveStartKey: startKey && { ...startKey, status },
        }),
      ));

  const items = Items.slice(0, limit);
  const last = Items.length > limit ? items.at(-1) : LastEvaluatedKey;
  const next: bigint | undefined = last && BigInt(last['id']);
  return { pets: items.flatMap((item) => parseOrLog(Pet, item) ?? []), next };
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

function parsePet<const TSchema extends typeof Pet | typeof StoredPet>(schema: TSchema, item: Item) {
  const pet = parseOrLog(schema, item);
  if (!pet) throw new Error(damagedPetMessage);
  return pet;
}

/** Parses an item, or logs its id and the names of its invalid attributes, never a value. */
function parseOrLog<const TSchema extends typeof Pet | typeof StoredPet>(schema: TSchema, item: Item) {
  const { success, output, issues } = v.safeParse(schema, item);
  if (success) return output;
  const details = { petId: `${item['id']}`, attributes: invalidFields(issues) };
  logError(damagedPetMessage, undefined, details);
  return undefined;
}
