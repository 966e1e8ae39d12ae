import { randomUUID } from 'node:crypto';
import { type AttributeValue, BatchWriteItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { PetStatus } from '../../shared/contract/pet.ts';
import { creationDigest, payloadDigest, petIdOf } from '../../shared/tables/creation.ts';

/** DynamoDB takes so many writes at once. */
const batchSize = 25;

/** Adds pets to a table, their statuses in turns, and gives the id of the last one. */
export async function addPets(dynamodb: DynamoDBClient, tableName: string, count: number): Promise<string> {
  let petId = '';
  for (let added = 0; added < count; added += batchSize) {
    const items = Array.from({ length: Math.min(batchSize, count - added) }, (_, index) =>
      petItem(added + index),
    );
    petId = items.at(-1)?.['id']?.N ?? '';
    await dynamodb.send(
      new BatchWriteItemCommand({
        RequestItems: { [tableName]: items.map((Item) => ({ PutRequest: { Item } })) },
      }),
    );
  }
  return petId;
}

function petItem(index: number): Record<string, AttributeValue> {
  const creation = { client: 'bench', key: randomUUID() };
  const pet = {
    name: `Pet ${index}`,
    categoryId: BigInt(index),
    status: PetStatus.options[index % PetStatus.options.length] ?? 'available',
  };
  return {
    id: { N: petIdOf(creation, 0).toString() },
    name: { S: pet.name },
    categoryId: { N: pet.categoryId.toString() },
    status: { S: pet.status },
    creationDigest: { S: creationDigest(creation) },
    payloadDigest: { S: payloadDigest(pet) },
  };
}
