import type { CatalogueApi } from './api.ts';
import { type FieldNames, type Row, toRow } from './rows.ts';
import type { Source } from './source.ts';

export interface ImportOptions {
  readonly source: Source;
  readonly names: FieldNames;
  /** Without it nothing is sent: the rows are only checked. */
  readonly api?: CatalogueApi;
  /** How many creates are under way at once. */
  readonly concurrency: number;
  /** Ends the import once what is under way is done. */
  readonly signal: AbortSignal;
  /** Told of every row that is done. */
  onRow(done: number): void;
  /** Told of every row that is refused. */
  onRefused(line: number, reason: string): void;
}

/** How many rows were created, were there already, and were refused. */
export interface ImportCounts {
  created: number;
  replayed: number;
  refused: number;
}

/**
 * Imports a catalogue. Each row has an Idempotency-Key made of the content of the whole and its line: the same catalogue
 * imported again creates nothing twice.
 *
 * @throws {HTTPError} and the like, when the API can't be reached or refuses the key
 */
export async function importCatalogue(options: ImportOptions): Promise<ImportCounts> {
  const { source, names, api, concurrency, signal } = options;
  const counts: ImportCounts = { created: 0, replayed: 0, refused: 0 };
  const rawRows = source.rows()[Symbol.asyncIterator]();
  let done = 0;
  let hasFailed = false;

  function refuse(line: number, reason: string): void {
    counts.refused += 1;
    options.onRefused(line, reason);
  }

  async function importRow(row: Row): Promise<void> {
    if ('reason' in row) return refuse(row.line, row.reason);
    const outcome = api ? await api.create(row.pet, `${source.digest}-${row.line}`) : 'created';
    if (typeof outcome === 'object') return refuse(row.line, outcome.refusal);
    counts[outcome] += 1;
  }

  async function importInTurn(): Promise<void> {
    while (!signal.aborted && !hasFailed) {
      const { done: isDone, value: raw } = await rawRows.next();
      if (isDone) return;
      await importRow(toRow(raw, names));
      done += 1;
      options.onRow(done);
    }
  }

  const workers = Array.from({ length: concurrency }, () =>
    importInTurn().catch((error: unknown) => {
      hasFailed = true;
      throw error;
    }),
  );
  const results = await Promise.allSettled(workers);
  const failure = results.find((result) => result.status === 'rejected');
  // One that is interrupted does not wait for what fails to be tried again.
  if (failure && !signal.aborted) throw failure.reason;
  return counts;
}
