import { randomUUID } from 'node:crypto';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { existingItem } from './dynamodb.ts';
import type { Item } from './stored-item.ts';

/** A condition that no item meets, for a write during init. `#key` is the partition key. */
export const never = 'attribute_exists(#key) AND attribute_not_exists(#key)';

/**
 * Sends a write that has a condition, and returns whether the item was written. The SDK repeats a write whose
 * response was lost. So that the write recognizes what it wrote itself, the item has to store `lastWrite`.
 *
 * @returns the item as the write returns it, or the one that did not meet the condition
 */
export async function writeIf(
  send: (lastWrite: string) => Promise<{ readonly Attributes?: Item | undefined }>,
): Promise<{ readonly isWritten: boolean; readonly item: Item | undefined }> {
  const lastWrite = randomUUID();
  try {
    const { Attributes } = await send(lastWrite);
    return { isWritten: true, item: Attributes };
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    const item = existingItem(error);
    return { isWritten: item?.['lastWrite'] === lastWrite, item };
  }
}
