import pMap from 'p-map';
import type { Pair } from './compare.ts';
import type { Ids } from './id-file.ts';
import { versionOf } from './item.ts';
import type { OpenTable } from './open-tables.ts';
import { putItem } from './put-item.ts';

/** How many items were written, how many had changed since the comparison, and which DynamoDB rejects. */
export interface Written {
  written: number;
  changed: number;
  readonly rejected: string[];
}

/**
 * Returns whether to write an item. Without a list of what to overwrite, only one that is missing; with a list, only
 * one that is as it was when it was listed.
 */
export function isToBeWritten({ id, state, current }: Pair, overwrite: Ids | undefined): boolean {
  if (!overwrite) return state === 'missing';
  const isListed = state === 'different' || state === 'deleted';
  return isListed && current !== undefined && versionOf(current) === overwrite.get(id);
}

interface Options {
  readonly overwrite: Ids | undefined;
  /** Is changed after each page, so that it is right after an interruption, too. */
  readonly result: Written;
  onPage(items: number): Promise<void>;
}

/** Writes the items that are still to be written, page by page. */
export async function writeItems(
  table: OpenTable,
  pages: AsyncIterable<readonly Pair[]>,
  { overwrite, result, onPage }: Options,
): Promise<void> {
  const write = async (pair: Pair): Promise<void> => {
    try {
      const isWritten = isToBeWritten(pair, overwrite) && (await putItem(table, pair));
      result[isWritten ? 'written' : 'changed'] += 1;
    } catch (error) {
      // Such as a number where an index of the table has texts.
      if (!(error instanceof Error && error.name === 'ValidationException')) throw error;
      result.rejected.push(`${pair.id}: ${error.message}`);
    }
  };
  for await (const page of pages) {
    await pMap(page, write, { concurrency: 10 });
    await onPage(page.length);
  }
}
