import * as v from 'valibot';
import { ApiError } from '../contract/api-error.ts';
import { type NewPet, type Pet, PetStatus } from '../contract/pet.ts';
import { DynamodbError, dynamodb } from '../lambda/dynamodb.ts';
import { environmentVariable } from '../lambda/environment.ts';
import { type Creation, creationDigest, payloadDigest, petIdOf } from './creation.ts';
import { parseItem, StoredInteger, StoredText } from './stored-attributes.ts';
import { petsTable } from './table-definitions.ts';

const TableName = environmentVariable(petsTable.nameVariable);

const StoredPet = v.object({
  id: StoredInteger,
  name: StoredText,
  categoryId: StoredInteger,
  status: v.pipe(StoredText, PetStatus),
  creationDigest: StoredText,
  payloadDigest: StoredText,
});
type StoredPet = v.InferOutput<typeof StoredPet>;

const Key = v.object({ id: StoredInteger });

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
 * @throws {ApiError} `idempotency_key_reused` where the creation has made another pet before
 */
export async function insertPet(
  newPet: NewPet,
  creation: Creation,
): Promise<{ pet: Pet; isReplay: boolean }> {
  const digests = { creationDigest: creationDigest(creation), payloadDigest: payloadDigest(newPet) };

  for (let attempt = 0; ; attempt += 1) {
    const stored = { id: petIdOf(creation, attempt), ...newPet, ...digests };
    const existing = await putUnlessTaken(stored);

    if (existing === undefined) return { pet: toPet(stored), isReplay: false };
    if (existing.creationDigest !== digests.creationDigest) continue;
    if (existing.payloadDigest !== digests.payloadDigest) throw new ApiError('idempotency_key_reused');
    return { pet: toPet(existing), isReplay: true };
  }
}

/** Reads a pet consistently: one that was created is found from then on. */
export async function readPet(id: bigint): Promise<Pet | undefined> {
  const stored = await readStoredPet(id);
  return stored && toPet(stored);
}

/** Reads a page. It costs the same wherever it starts. */
export async function readPetPage({ limit, status, after }: PageRequest): Promise<PetPage> {
  const page = { TableName, Limit: limit + 1 };
  const startKey = after === undefined ? undefined : keyOf(after);

  // Read with a limit, a Scan costs as little as a Query: it ends at the limit, and the whole table is what is listed.
  const { Items = [], LastEvaluatedKey } = await (status === undefined
    ? dynamodb('Scan', { ...page, ExclusiveStartKey: startKey })
    : dynamodb('Query', {
        ...page,
        IndexName: petsTable.statusIndex.name,
        KeyConditionExpression: '#status = :status',
        ExpressionAttributeNames: { '#status': petsTable.statusIndex.partitionKey },
        ExpressionAttributeValues: { ':status': { S: status } },
        ExclusiveStartKey: startKey && { ...startKey, status: { S: status } },
      }));

  const pets = Items.slice(0, limit).map((item) => toPet(parseItem(StoredPet, item)));
  const hasMore = Items.length > limit;
  return { pets, next: hasMore ? pets.at(-1)?.id : LastEvaluatedKey && parseItem(Key, LastEvaluatedKey).id };
}

async function putUnlessTaken(pet: StoredPet): Promise<StoredPet | undefined> {
  try {
    await dynamodb('PutItem', {
      TableName,
      Item: toItem(pet),
      ConditionExpression: `attribute_not_exists(${petsTable.partitionKey})`,
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    });
    return undefined;
  } catch (error) {
    if (!(error instanceof DynamodbError && error.name === 'ConditionalCheckFailedException')) throw error;
    // An emulated DynamoDB may leave the item out of the error.
    return error.item ? parseItem(StoredPet, error.item) : readStoredPet(pet.id);
  }
}

async function readStoredPet(id: bigint): Promise<StoredPet | undefined> {
  const { Item } = await dynamodb('GetItem', { TableName, Key: keyOf(id), ConsistentRead: true });
  return Item && parseItem(StoredPet, Item);
}

const keyOf = (id: bigint) => ({ [petsTable.partitionKey]: { N: id.toString() } });

const toPet = ({ id, name, categoryId, status }: Pet): Pet => ({ id, name, categoryId, status });

const toItem = ({ id, name, categoryId, status, creationDigest, payloadDigest }: StoredPet) => ({
  ...keyOf(id),
  name: { S: name },
  categoryId: { N: categoryId.toString() },
  status: { S: status },
  creationDigest: { S: creationDigest },
  payloadDigest: { S: payloadDigest },
});
