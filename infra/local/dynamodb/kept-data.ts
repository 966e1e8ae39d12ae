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
const Write = v.pipe(
  v.strictObject({ table: v.string(), key: v.optional(v.string()), item: v.optional(Item) }),
  v.check(({ key, item }) => key !== undefined || item === undefined),
);

/** A write of an item to a table, or its deletion; without a key, the deletion of the whole table. */
export type Write = v.InferOutput<typeof Write>;

/** A line of a file: a write, or the API key from then on. */
const KeptRecord = v.union([Write, v.strictObject({ apiKey: v.string() })]);
export type KeptRecord = v.InferOutput<typeof KeptRecord>;

/** What a file keeps: the last write of each item, and the last API key. */
export interface KeptData {
  readonly items: readonly Write[];
  readonly apiKey: string | undefined;
}

/**
 * Reads the data that earlier starts have kept in a file, if it exists.
 *
 * @throws {Error} if a line is damaged, other than an incomplete last one
 */
export function readKeptData(path: string): KeptData {
  const items = new Map<string, Write>();
  let apiKey: string | undefined;

  for (const record of recordsOf(path)) {
    if ('apiKey' in record) {
      apiKey = record.apiKey;
      continue;
    }
    const { table, key, item } = record;
    const id = `${table} ${key}`;
    if (item) items.set(id, record);
    else if (key !== undefined) items.delete(id);
    else for (const [other, write] of items) if (write.table === table) items.delete(other);
  }
  return { items: [...items.values()], apiKey };
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
