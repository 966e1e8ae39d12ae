import { createHash } from 'node:crypto';
import pMap from 'p-map';
import { type PetStoreClient, PetStoreError } from '../../shared/client/pet-store-client.ts';
import type { RawRow } from './read-rows.ts';
import { type RefusedRow, type Row, toRow, type Understanding } from './rows.ts';
import type { Source } from './source.ts';

export interface ImportOptions {
  readonly source: Source;
  readonly understanding: Understanding;
  /** Without it nothing is sent: the rows are only checked. */
  readonly api?: Pick<PetStoreClient, 'createPet'>;
  /** How many creates are under way at once. */
  readonly concurrency: number;
  /** Ends the import once what is under way is done. */
  readonly signal: AbortSignal;
  /** Told of every row that is done. */
  onRow(done: number): void;
  /** Told of every row that is refused. */
  onRefused(row: RefusedRow): void;
}

/** How many rows were created, were there already, and were refused. */
export interface ImportCounts {
  created: number;
  replayed: number;
  refused: number;
}

/** Statuses that say that what was sent is wrong. */
const refusals: readonly number[] = [400, 413, 415, 422];

/**
 * Imports a catalogue. Each row has an Idempotency-Key made of its line, the content of the whole, and how that is
 * understood: the same catalogue imported again creates nothing twice.
 *
 * @throws {PetStoreError} when the API is unreachable or refuses the key; or an Error when the source has changed
 */
export async function importCatalogue(options: ImportOptions): Promise<ImportCounts> {
  const { source, understanding, api, concurrency, signal } = options;
  const counts: ImportCounts = { created: 0, replayed: 0, refused: 0 };
  const keyPrefix = keyPrefixOf(source, understanding);
  let done = 0;
  let failure: { readonly error: unknown } | undefined;

  async function* rowsUntilItEnds(): AsyncGenerator<RawRow> {
    try {
      for await (const raw of source.rows()) {
        if (signal.aborted || failure) return;
        yield raw;
      }
    } catch (error) {
      failure ??= { error };
    }
  }

  async function send(row: Row): Promise<'created' | 'replayed' | RefusedRow> {
    if ('reason' in row) return row;
    try {
      const created = await api?.createPet(row.pet, `${keyPrefix}-${row.line}`);
      return created?.isReplayed ? 'replayed' : 'created';
    } catch (error) {
      if (!(error instanceof PetStoreError) || !refusals.includes(error.status)) throw error;
      return { line: row.line, reason: error.message, fields: row.pet };
    }
  }

  async function importRow(raw: RawRow): Promise<void> {
    try {
      const outcome = await send(toRow(raw, understanding));
      if (typeof outcome === 'object') options.onRefused(outcome);
      counts[typeof outcome === 'object' ? 'refused' : outcome] += 1;
      done += 1;
      options.onRow(done);
    } catch (error) {
      failure ??= { error };
    }
  }

  // What fails ends the rows, not the creates under way: they are counted.
  await pMap(rowsUntilItEnds(), importRow, { concurrency });
  // One that is interrupted does not wait for what fails to be tried again.
  if (failure && !signal.aborted) throw failure.error;
  return counts;
}

function keyPrefixOf({ digest, format }: Source, { map, unescapesFormulas }: Understanding): string {
  const understood = JSON.stringify([digest, format, [...map].toSorted(), unescapesFormulas]);
  return createHash('sha256').update(understood).digest('hex');
}
