import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import { isKeyValid, StoredApiKey } from '../../../shared/keys/api-key.ts';
import { exactNumber } from '../../../shared/tables/dynamodb.ts';
import type { TableDefinition } from '../../../shared/tables/table.ts';
import { clientPattern } from '../../keys/api-key-store.ts';
import type { Pair, State } from './compare.ts';
import type { Ids } from './id-file.ts';
import { isOfKeys, type StoredItem, shownIdOf, versionOf } from './item.ts';
import { isToBeWritten } from './write-items.ts';

/** What a comparison has found, before anything is written. */
export interface Survey {
  readonly counts: Readonly<Record<State, number>>;
  /** The ids of the items to write, as `idOf` returns them. */
  readonly ids: readonly string[];
  /** What it costs to write them, and to read them again, in dollars in us-east-1. */
  readonly cost: number;
  /** Items that a second run could overwrite, with the versions of what the table has. */
  readonly different: Ids;
  readonly deleted: Ids;
  /** API keys that would work again: id, client, and whether they are valid. */
  readonly keys: readonly string[];
}

/** https://aws.amazon.com/dynamodb/pricing/on-demand/ (November 2026) */
const dollars = { write: 0.625e-6, read: 0.125e-6 };

/** Compares all pages. `onPage` gets the number of items of each. */
export async function surveyOf(
  definition: TableDefinition,
  pages: AsyncIterable<readonly Pair[]>,
  { overwrite, onPage }: { readonly overwrite: Ids | undefined; onPage(items: number): Promise<void> },
): Promise<Survey> {
  const counts = { missing: 0, different: 0, same: 0, deleted: 0, excepted: 0, purged: 0 };
  const ids: string[] = [];
  const keys: string[] = [];
  const others = { different: new Map<string, string>(), deleted: new Map<string, string>() };
  let cost = 0;
  for await (const page of pages) {
    for (const pair of page) {
      const { id, item, current, state } = pair;
      counts[state] += 1;
      if (current && (state === 'different' || state === 'deleted')) {
        others[state].set(id, versionOf(current));
      }
      if (!isToBeWritten(pair, overwrite)) continue;
      ids.push(id);
      cost += costOf(definition, item);
      if (isOfKeys(definition)) keys.push(describeKey(definition, item));
    }
    await onPage(page.length);
  }
  return { counts, ids, cost, keys, ...others };
}

/** Estimates a little too much: JSON is longer than what DynamoDB stores. */
function costOf({ indexes }: TableDefinition, item: StoredItem): number {
  const kilobytes = Buffer.byteLength(JSON.stringify(item)) / 1024;
  const writes = Math.ceil(kilobytes) * (1 + Object.keys(indexes).length);
  return writes * dollars.write + 2 * Math.ceil(kilobytes / 4) * dollars.read;
}

function describeKey(definition: TableDefinition, item: StoredItem): string {
  const { success, output } = v.safeParse(StoredApiKey, unmarshall(item, { wrapNumbers: exactNumber }));
  if (!success) return `${shownIdOf(definition, item)} damaged`;
  const client = clientPattern.test(output.client) ? output.client : 'an unknown client';
  return `${shownIdOf(definition, item)} of ${client}, ${isKeyValid(output) ? 'valid' : 'no longer valid'}`;
}
