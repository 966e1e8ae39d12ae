import { randomUUID } from 'node:crypto';
import { BatchWriteCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { PetStatus } from '../../shared/contract/schemas/pet.ts';
import { creationDigest, payloadDigest, petIdOf } from '../../shared/tables/creation.ts';

/** DynamoDB takes so many writes at once. */
const batchSize = 25;

/** Adds pets to a table, their statuses in turns, and gives the id of the last one. */
export async function addPets(
  dynamodb: DynamoDBDocumentClient,
  tableName: string,
  count: number,
): Promise<string> {
  let petId = '';
  for (let added = 0; added < count; added += batchSize) {
    const items = Array.from({ length: Math.min(batchSize, count - added) }, (_, index) =>
      petItem(added + index),
    );
    petId = `${items.at(-1)?.id}`;
    await dynamodb.send(
      new BatchWriteCommand({
        RequestItems: { [tableName]: items.map((Item) => ({ PutRequest: { Item } })) },
      }),
    );
  }
  return petId;
}

function petItem(index: number) {
  const creation = { client: 'bench', key: randomUUID() };
  const pet = {
    name: `Pet ${index}`,
    categoryId: BigInt(index),
    status: PetStatus.options[index % PetStatus.options.length] ?? 'available',
  };
  return {
    id: petIdOf(creation, 0),
    ...pet,
    creationDigest: creationDigest(creation),
    payloadDigest: payloadDigest(pet),
  };
}
