import { hash } from 'node:crypto';
import * as v from 'valibot';
import { ApiError } from '../../shared/contract/error-table.ts';
import { parseJson } from '../../shared/contract/json.ts';
import { parse } from '../../shared/contract/parse.ts';
import { NewPet } from '../../shared/pets/pet.ts';
import { PetStoreError } from '../cli/calls/client-error.ts';
import { type ColumnOptions, importedFields } from './columns.ts';
import type { Format } from './read-rows.ts';
import type { Row } from './row.ts';

export interface RowImport {
  /** Creates a pet, at most once per Idempotency-Key. */
  readonly create: (pet: v.InferInput<typeof NewPet>, key: string) => Promise<'created' | 'replayed'>;
  /** Identifies the file. Prefix and line form a row's Idempotency-Key. */
  readonly keyPrefix: string;
  readonly map: ColumnOptions['map'];
}

/** Returns what identifies a file to the API: the same content, format and `--map`. */
export function keyPrefixOf(content: Buffer, format: Format, map: ColumnOptions['map']): string {
  const identity = JSON.stringify([hash('sha256', content), format, [...map].toSorted()]);
  return hash('sha256', identity);
}

/** Statuses that mean that the row itself is wrong. */
const rejections: readonly number[] = [400, 413, 415, 422];

/**
 * Creates the pet of a row. Returns a rejected row with the reason, to be fixed and imported again.
 *
 * @throws {PetStoreError} if the API fails for reasons other than the row
 */
export async function importRow({ line, unreadable, cells }: Row, { create, keyPrefix, map }: RowImport) {
  if (unreadable) return { rejected: { line, ...unreadable } };
  const fields = Object.fromEntries(
    cells
      .map(([column, value]) => [map.get(column) ?? column, value] as const)
      .filter(([name, value]) => importedFields.has(name) && value !== undefined)
      .map(([name, value]) => [name, typeof value === 'string' ? fromText(name, value) : value]),
  );
  try {
    assertNewPet(fields);
    return await create(fields, `${keyPrefix}-${line}`);
  } catch (error) {
    const isRejected = error instanceof PetStoreError && rejections.includes(error.status);
    if (!isRejected && !(error instanceof ApiError)) throw error;
    return { ...fields, rejected: { line, reason: error.message } };
  }
}

/** Checks the fields without adding defaults: a new default must not change what a repeated import sends. */
function assertNewPet(fields: object): asserts fields is v.InferInput<typeof NewPet> {
  parse(NewPet, fields, 'invalid_body');
}

/** Parses a text as JSON if its field accepts that instead: a cell of CSV, or a rejected one in NDJSON. */
function fromText(name: string, text: string): unknown {
  const schema = importedFields.get(name);
  if (schema === undefined || v.is(schema, text)) return text;
  try {
    const value = parseJson(text);
    // In JSON, 1.2E+18 is an integer, but the spreadsheet that wrote it has lost digits.
    const hasAllDigits = typeof value !== 'bigint' || String(value) === text;
    return hasAllDigits && v.is(schema, value) ? value : text;
  } catch {
    return text;
  }
}
