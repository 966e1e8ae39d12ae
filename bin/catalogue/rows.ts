import { parse } from '../../shared/contract/errors/parse.ts';
import { NewPet } from '../../shared/contract/schemas/pet.ts';
import type { FieldMap } from './field-map.ts';
import { unescapeFormula } from './formulas.ts';
import type { RawRow } from './read-rows.ts';

/** How the columns of a catalogue are understood. */
export interface Understanding {
  readonly map: FieldMap;
  /** Whether names in CSV were escaped for spreadsheets. */
  readonly unescapesFormulas: boolean;
}

/** A line that is no pet: its fields, by the API's names, or its text where it has none. */
export interface RefusedRow {
  readonly line: number;
  readonly reason: string;
  readonly fields?: object;
  readonly text?: string;
}

/** A line of a catalogue: a pet, or the reason why it is none. */
export type Row = { readonly line: number; readonly pet: NewPet } | RefusedRow;

/** Makes a row of a raw one. */
export function toRow(raw: RawRow, understanding: Understanding): Row {
  const { line, text } = raw;
  let fields: unknown;
  try {
    fields = understood(raw.fields(), raw.isText, understanding);
    return { line, pet: parse(NewPet, fields, 'invalid_body') };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { line, reason, ...(isRecord(fields) ? { fields } : { text }) };
  }
}

function understood(fields: unknown, isText: boolean, { map, unescapesFormulas }: Understanding): unknown {
  if (!isRecord(fields)) return fields;
  const entries = Object.entries(fields).flatMap(([column, value]) => {
    const name = map.has(column) ? map.get(column) : column;
    if (name === undefined) return [];
    return [[name, isText ? fromText(name, value, unescapesFormulas) : value]];
  });
  return Object.fromEntries(entries);
}

function fromText(name: string, value: unknown, unescapesFormulas: boolean): unknown {
  const text = String(value);
  if (name === 'categoryId' && /^-?\d{1,19}$/.test(text)) return BigInt(text);
  return name === 'name' && unescapesFormulas ? unescapeFormula(text) : text;
}

/** Whether a value is an object with fields. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
