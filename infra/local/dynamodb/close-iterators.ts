import { AbstractKeyIterator, AbstractValueIterator } from 'abstract-level';

/**
 * Lets dynalite end the reads of a list that it does not read to the end. It calls `return`, as of an iterator of the
 * language, where those of the store have `close`: without it every page of a list would stay in memory.
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
