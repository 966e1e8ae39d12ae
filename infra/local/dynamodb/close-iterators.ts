import { AbstractKeyIterator, AbstractValueIterator } from 'abstract-level';

/**
 * Lets dynalite close iterators that it has not read to the end. It calls `return`, which JavaScript's own iterators
 * have; those of the store have `close`. Without this every page of a list would stay in memory.
 */
export function closeUnfinishedIterators(): void {
  for (const { prototype } of [AbstractKeyIterator, AbstractValueIterator]) {
    Object.assign(prototype, {
      return(this: { close(): Promise<void> }): Promise<void> {
        return this.close();
      },
    });
  }
}
