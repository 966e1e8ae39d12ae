import type { TableDefinition } from '../../../shared/tables/table.ts';
import type { Ids } from './id-file.ts';
import { idOf, type StoredItem, shownIdOf, versionOf } from './item.ts';
import { allPages, currentItems, type OpenTables, pagesOf } from './open-tables.ts';

/**
 * What the stage's table has of an item of the copy. `excepted` is one that stays as it is on request, and
 * `purged` one that DynamoDB has deleted at its time to live, or will.
 */
export type State = 'missing' | 'different' | 'same' | 'deleted' | 'excepted' | 'purged';

/** An item of the copy, with the one of the stage's table that has its key. */
export interface Pair {
  readonly id: string;
  readonly item: StoredItem;
  readonly current: StoredItem | undefined;
  readonly state: State;
}

interface Conditions {
  /** Ids of items that stay as they are, deleted or not. */
  readonly except: Ids;
  /** In seconds since 1970. */
  readonly now: number;
}

/** Compares an item of the copy with what the table has. */
export function stateOf(
  definition: TableDefinition,
  item: StoredItem,
  current: StoredItem | undefined,
  { except, now }: Conditions,
): State {
  if (current && versionOf(current) === versionOf(item)) return 'same';
  if (except.has(shownIdOf(definition, item))) return 'excepted';
  // What is left of a deleted item keeps late retries of its create from bringing it back.
  if (current) return current['deletedAt'] ? 'deleted' : 'different';
  const { timeToLive = '' } = definition;
  const purgeAt = item[timeToLive]?.N;
  return purgeAt !== undefined && Number(purgeAt) <= now ? 'purged' : 'missing';
}

/** Reads items of the copy, all or those with the given ids, with what the table has, page by page. */
export async function* comparedPages(
  tables: OpenTables,
  except: Ids,
  ids?: readonly string[],
): AsyncGenerator<readonly Pair[]> {
  const { definition, copy } = tables;
  for await (const items of ids ? pagesOf(tables, ids) : allPages(copy)) {
    const currentOf = await currentItems(tables, items);
    const now = Date.now() / 1000;
    yield items.map((item) => {
      const id = idOf(definition, item);
      const current = currentOf.get(id);
      return { id, item, current, state: stateOf(definition, item, current, { except, now }) };
    });
  }
}
