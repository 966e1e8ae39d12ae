import * as v from 'valibot';
import { type PetStoreClient, PetStoreError } from '../../shared/client/pet-store-client.ts';
import { ApiError } from '../../shared/contract/errors/error-table.ts';
import { parse } from '../../shared/contract/errors/parse.ts';
import { parseJson } from '../../shared/contract/json.ts';
import { NewPet } from '../../shared/pets/pet.ts';
import { type ColumnMap, importedFields } from './columns.ts';
import type { Format, Row } from './read-rows.ts';

export interface RowImport {
  /** Without it, rows are only checked. */
  readonly api: Pick<PetStoreClient, 'createPet'> | undefined;
  /** Identifies the file. Prefix and line form a row's Idempotency-Key. */
  readonly keyPrefix: string;
  readonly format: Format;
  readonly map: ColumnMap;
}

/** Statuses that mean that the row itself is wrong. */
const rejections: readonly number[] = [400, 413, 415, 422];

/**
 * Creates the pet of a row. Returns a rejected row with the reason, to be fixed and imported again.
 *
 * @throws {PetStoreError} if the API fails for reasons other than the row
 */
export async function importRow({ line, reason, cells }: Row, { api, keyPrefix, format, map }: RowImport) {
  if (reason !== undefined) return { rejected: { line, reason } };
  const fields = Object.fromEntries(
    cells
      .map(([column, value]) => [map.get(column) ?? column, value] as const)
      .filter(([name, value]) => importedFields.has(name) && value !== undefined)
      .map(([name, value]) => [name, format === 'csv' ? fromText(name, String(value)) : value]),
  );
  try {
    assertNewPet(fields);
    const created = await api?.createPet(fields, `${keyPrefix}-${line}`);
    return created?.isReplayed ? 'replayed' : 'created';
  } catch (error) {
    const isRejected = error instanceof PetStoreError && rejections.includes(error.status);
    if (!isRejected && !(error instanceof ApiError)) throw error;
    return { ...fields, rejected: { line, reason: `${error.message}${quotedNumbers(fields)}` } };
  }
}

/** Checks the fields without adding defaults: a new default must not change what a repeated import sends. */
function assertNewPet(fields: object): asserts fields is v.InferInput<typeof NewPet> {
  parse(NewPet, fields, 'invalid_body');
}

/** Whether a field takes numbers, whatever their range. */
const takesNumbers = (schema: v.GenericSchema): boolean =>
  'wrapped' in schema
    ? takesNumbers(schema.wrapped as v.GenericSchema)
    : ['bigint', 'number'].includes(schema.type);

/** Returns what to say about texts in fields that take numbers, which stay texts with other digits. */
function quotedNumbers(fields: Readonly<Record<string, unknown>>): string {
  const names = [...importedFields]
    .filter(([name, schema]) => typeof fields[name] === 'string' && takesNumbers(schema))
    .map(([name]) => name);
  return names.length > 0 ? ` In NDJSON, write all digits of ${names.join(', ')}, without quotes.` : '';
}

/**
 * Parses a CSV cell as JSON, unless its field accepts the text. A number that its field rejects stays a number, so
 * that only its digits have to be corrected in the rejected row.
 */
function fromText(name: string, text: string): unknown {
  const schema = importedFields.get(name);
  if (schema === undefined || v.is(schema, text)) return text;
  try {
    const value = parseJson(text);
    // In JSON, 1.2E+18 is an integer, but the spreadsheet that wrote it has lost digits.
    if (typeof value === 'bigint' && String(value) !== text) return text;
    const isNumber = typeof value === 'bigint' || typeof value === 'number';
    const isCorrectable = isNumber && takesNumbers(schema) && String(value) === text;
    return v.is(schema, value) || isCorrectable ? value : text;
  } catch {
    return text;
  }
}
