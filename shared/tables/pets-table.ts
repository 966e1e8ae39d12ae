import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand, QueryCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import * as v from 'valibot';
import { ApiError } from '../contract/errors/api-error.ts';
import { type NewPet, Pet, type PetStatus } from '../contract/schemas/pet.ts';
import { dynamodb, existingItem } from '../lambda/dynamodb.ts';
import { environmentVariable } from '../lambda/environment.ts';
import { type Creation, creationDigest, digestLength, payloadDigest, petIdOf } from './creation.ts';
import { parseItem } from './stored-items.ts';
import { petsTable } from './table-definitions.ts';

const TableName = environmentVariable(petsTable.nameVariable);

const Digest = v.pipe(v.instance(Uint8Array), v.length(digestLength));

/** A pet is stored as it is, field by field, with two digests that are never returned. */
const StoredPet = v.object({ ...Pet.entries, creationDigest: Digest, payloadDigest: Digest });
type StoredPet = v.InferOutput<typeof StoredPet>;

const Key = v.pick(Pet, ['id']);

/** Where a page starts and what it holds: at most `limit` pets after the pet `after`, of one status or of all. */
export interface PageRequest {
  readonly limit: number;
  readonly status?: PetStatus | undefined;
  readonly after?: bigint | undefined;
}

/** A page of pets; `next` is the id after which the next page starts, and absent on the last page. */
export interface PetPage {
  readonly pets: readonly Pet[];
  readonly next: bigint | undefined;
}

/**
 * Writes a new pet, exactly once however often the same creation is repeated.
 *
 * @throws {ApiError} `idempotency_key_reused` where the creation has made another pet before, `service_unavailable`
 *   while DynamoDB is unreachable or throttling
 */
export async function insertPet(
  newPet: NewPet,
  creation: Creation,
): Promise<{ pet: Pet; isReplay: boolean }> {
  const digests = { creationDigest: creationDigest(creation), payloadDigest: payloadDigest(newPet) };

  for (let attempt = 0; ; attempt += 1) {
    const pet = { id: petIdOf(creation, attempt), ...newPet };
    const existing = await putUnlessTaken({ ...pet, ...digests });

    if (existing === undefined) return { pet, isReplay: false };
    if (!isSame(existing.creationDigest, digests.creationDigest)) continue;
    if (!isSame(existing.payloadDigest, digests.payloadDigest)) throw new ApiError('idempotency_key_reused');
    return { pet: parseItem(Pet, existing), isReplay: true };
  }
}

/** Makes the call of `insertPet`, but writes nothing: its condition is that there is a pet with the id 0. */
export async function insertNothing(): Promise<void> {
  await putIf('attribute_exists', { id: 0n });
}

/**
 * Reads a pet consistently: one that was created is found from then on.
 *
 * @throws {ApiError} `service_unavailable` while DynamoDB is unreachable or throttling
 */
export async function readPet(id: bigint): Promise<Pet | undefined> {
  const { Item } = await dynamodb.send(new GetCommand({ TableName, Key: { id }, ConsistentRead: true }));
  return Item && parseItem(Pet, Item);
}

/**
 * Reads a page. It costs the same wherever it starts.
 *
 * @throws {ApiError} `service_unavailable` while DynamoDB is unreachable or throttling
 */
export async function readPetPage({ limit, status, after }: PageRequest): Promise<PetPage> {
  const page = { TableName, Limit: limit + 1 };
  const startKey = after === undefined ? undefined : { id: after };

  // Read with a limit, a Scan costs as little as a Query: it ends at the limit, and the whole table is what is listed.
  const { Items = [], LastEvaluatedKey } = await (status === undefined
    ? dynamodb.send(new ScanCommand({ ...page, ExclusiveStartKey: startKey }))
    : dynamodb.send(
        new QueryCommand({
          ...page,
          IndexName: petsTable.statusIndex.name,
          KeyConditionExpression: '#status = :status',
          ExpressionAttributeNames: { '#status': petsTable.statusIndex.partitionKey },
          ExpressionAttributeValues: { ':status': status },
          ExclusiveStartKey: startKey && { ...startKey, status },
        }),
      ));

  const pets = Items.slice(0, limit).map((item) => parseItem(Pet, item));
  const hasMore = Items.length > limit;
  return { pets, next: hasMore ? pets.at(-1)?.id : LastEvaluatedKey && parseItem(Key, LastEvaluatedKey).id };
}

/** Gives the pet that has the id already, or undefined once the pet is written. */
async function putUnlessTaken(pet: StoredPet): Promise<StoredPet | undefined> {
  const failure = await putIf('attribute_not_exists', pet);
  return failure && parseItem(StoredPet, existingItem(failure));
}

/** Puts an item if there is one with its id, or if there is none; gives the failure of that condition. */
async function putIf(
  condition: 'attribute_exists' | 'attribute_not_exists',
  Item: Readonly<Record<string, unknown>>,
): Promise<ConditionalCheckFailedException | undefined> {
  try {
    await dynamodb.send(
      new PutCommand({
        TableName,
        Item,
        ConditionExpression: `${condition}(${petsTable.partitionKey})`,
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    return undefined;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) return error;
    throw error;
  }
}

const isSame = (one: Uint8Array, other: Uint8Array) => Buffer.compare(one, other) === 0;
