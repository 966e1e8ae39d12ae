import { randomUUID } from 'node:crypto';
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { exactNumber } from './dynamodb.ts';
import type { Item } from './stored-item.ts';

/** A condition of a write that no item meets. `#key` is the partition key. */
export const impossible = 'attribute_exists(#key) AND attribute_not_exists(#key)';

/**
 * Sends a write that has a condition, and returns whether the item was written. The item has to store `lastWrite`:
 * if a response is lost, the SDK repeats the write, whose condition then fails on what it wrote itself. For a create,
 * this decides only whether the response is a replay: `insertOnce` says what prevents a second item.
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
    // The document client does not translate what an error has.
    const item = error.Item && unmarshall(error.Item, { wrapNumbers: exactNumber });
    return { isWritten: item?.['lastWrite'] === lastWrite, item };
  }
}
