import { randomUUID } from 'node:crypto';
import { BatchWriteCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { examplePet } from '../../shared/contract/operations.ts';
import { PetStatus } from '../../shared/contract/schemas/pet.ts';
import { creationDigest, petIdOf } from '../../shared/tables/creation.ts';

/** DynamoDB takes so many writes at once. */
const batchSize = 25;

/** Adds pets to a table, their statuses in turns, and gives the id of one of them. */
export async function addPets(client: DynamoDBDocumentClient, tableName: string, count: number) {
  let petId = '';
  for (let added = 0; added < count; added += batchSize) {
    const items = Array.from({ length: Math.min(batchSize, count - added) }, (_, index) =>
      petItem(added + index),
    );
    const requests = items.map((Item) => ({ PutRequest: { Item } }));
    await client.send(new BatchWriteCommand({ RequestItems: { [tableName]: requests } }));
    petId = `${items[0]?.id}`;
  }
  return petId;
}

const { id: _id, ...example } = examplePet;

function petItem(index: number) {
  const status = PetStatus.options[index % PetStatus.options.length] ?? 'available';
  const pet = { ...example, name: `Pet ${index}`, categoryId: BigInt(index), status };
  const creation = { client: 'bench', key: randomUUID(), body: pet };
  return { id: petIdOf(creation, 0), ...pet, digest: creationDigest(creation) };
}
