import type { NumberValue } from '@aws-sdk/lib-dynamodb';
import { examplePet } from '../../../shared/pets/operations.ts';
import { petTable } from '../../../shared/pets/pet-table.ts';
import { type Item, putItem, removeEveryItem } from './stored-items.ts';

const { id: _id, ...bella } = examplePet;

/** Puts a pet as the service stores it, except for some attributes, and returns the item. */
export const putPet = (id: bigint | NumberValue, attributes: Item = {}): Promise<Item> =>
  putItem(petTable, { ...bella, status: 'sold', digest: new Uint8Array(32).fill(1), ...attributes, id });

/** Stores pets that are sold, and returns them in the order of their ids. */
export async function storePets(count: number): Promise<readonly Item[]> {
  const ids = Array.from({ length: count }, (_, index) => BigInt(index + 1));
  const items = await Promise.all(ids.map((id) => putPet(id)));
  return items.map(({ digest: _digest, ...pet }) => pet);
}

export const removeEveryPet = () => removeEveryItem(petTable);
