import { existsSync, readFileSync } from 'node:fs';
import * as v from 'valibot';

/** An item as DynamoDB represents it: each value by its type, numbers as text. */
export type StoredItem = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

const utf8 = new TextDecoder('utf-8', { fatal: true });

const remedy = 'start with --fresh, which deletes the file.';

const isObject = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value);

const Header = v.strictObject({ format: v.number() });

/** The first line of a file. */
export const header: v.InferOutput<typeof Header> = { format: 1 };

const Item = v.custom<StoredItem>((item) => isObject(item) && Object.values(Object(item)).every(isObject));
const Write = v.strictObject({ table: v.string(), key: v.string(), item: v.optional(Item) });

/** A write of an item to a table, or without it, its deletion. */
export type Write = v.InferOutput<typeof Write>;

/** The name of a value that the project keeps, such as a key, and the value from then on. */
const KeptValue = v.pipe(
  v.record(v.string(), v.string()),
  v.check((record) => Object.keys(record).length === 1 && !('table' in record)),
);

/** A line of a file. */
const KeptRecord = v.union([Write, KeptValue]);
export type KeptRecord = v.InferOutput<typeof KeptRecord>;

const isWrite = (record: KeptRecord): record is Write => 'table' in record;

/** What a file keeps: the last write of each item, and the last of each value. */
export interface KeptData {
  readonly items: readonly Write[];
  readonly values: ReadonlyMap<string, string>;
}

/**
 * Reads the data that earlier starts have kept in a file, if it exists.
 *
 * @throws {Error} if a line is damaged, other than an incomplete last one
 */
export function readKeptData(path: string): KeptData {
  const items = new Map<string, Write>();
  const values = new Map<string, string>();
  for (const record of recordsOf(path)) {
    if (isWrite(record)) applyWrite(items, record);
    else for (const [name, value] of Object.entries(record)) values.set(name, value);
  }
  return { items: [...items.values()], values };
}

function applyWrite(items: Map<string, Write>, write: Write): void {
  const { table, key, item } = write;
  const id = `${table} ${key}`;
  if (item) items.set(id, write);
  else items.delete(id);
}

/** Returns the records of a file, without its header. */
function* recordsOf(path: string): Generator<KeptRecord> {
  for (const { number, isComplete, json } of linesOf(path)) {
    if (number === 1 && v.is(Header, json)) {
      if (json.format === header.format) continue;
      throw new Error(`${path} has format ${json.format}, which is unknown here: ${remedy}`);
    }
    if (number > 1 && v.is(KeptRecord, json)) {
      yield json;
    } else if (isComplete) {
      throw new Error(`${path}:${number} is damaged: repair or remove the line, or ${remedy}`);
    } else {
      console.error(`The incomplete last record of ${path} is dropped: its write was never acknowledged.`);
    }
  }
}

/** Returns the lines of a file, if it exists; `json` is undefined if a line is not JSON. */
function* linesOf(path: string) {
  const bytes = existsSync(path) ? readFileSync(path) : Buffer.of();
  for (let start = 0, number = 1; start < bytes.length; number += 1) {
    const newline = bytes.indexOf('\n', start);
    const end = newline === -1 ? bytes.length : newline;
    yield { number, isComplete: newline !== -1, json: parse(bytes.subarray(start, end)) };
    start = end + 1;
  }
}

function parse(line: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(line));
  } catch {
    return undefined;
  }
}
