import { createHash } from 'node:crypto';
import {
  constants,
  createReadStream,
  createWriteStream,
  fstatSync,
  mkdtempSync,
  openSync,
  rmSync,
  type Stats,
  statSync,
} from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { TextDecoder } from 'node:util';
import { type Format, type RawRow, readRawRows } from './read-rows.ts';
import { isRecord } from './rows.ts';

/** A catalogue to be imported. */
export interface Source {
  /** SHA-256 of the content, in hex: what tells one catalogue from another. */
  readonly digest: string;
  readonly format: Format;
  readonly rowCount: number;
  /** The names of its columns: of CSV those of its header, of NDJSON those that any line has. */
  readonly columns: readonly string[];
  /** Reads the rows again, and throws at their end when they are not what they were. */
  rows(): AsyncIterable<RawRow>;
}

/** Beyond it the names of fields are content, not columns. */
const maxColumns = 1000;

/** What is read: a file that can be read again, and what the user calls it. */
export interface SourceFile {
  readonly file: string;
  readonly name: string;
  readonly format: Format;
  /** Ends the first reading. */
  readonly signal: AbortSignal;
}

/**
 * Reads a catalogue through once, before anything is done with it, without holding it.
 *
 * @throws {Error} when the file can't be read, is not in UTF-8, or is no CSV
 */
export async function openSource(source: SourceFile): Promise<Source> {
  const { name, format, signal } = source;
  const columns: string[] = [];
  const first = read(source, (header) => columns.push(...header));
  const names = new Set<string>();
  for await (const row of first.rows) {
    signal.throwIfAborted();
    if (!row.isText) addNames(names, row);
  }
  const { digest, rowCount } = first.result();

  async function* rows(): AsyncGenerator<RawRow> {
    const again = read(source);
    yield* again.rows;
    if (again.result().digest !== digest || again.result().rowCount !== rowCount) {
      throw new Error(`${name} was changed while it was imported: compare what was created with it.`);
    }
  }
  return { digest, format, rowCount, columns: [...columns, ...names], rows };
}

/** One reading of a file, with what it was once it is over. */
function read({ file, name, format }: SourceFile, onHeader?: (columns: string[]) => void) {
  const hash = createHash('sha256');
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let rowCount = 0;
  /** Without a chunk it looks for a character that was begun and not ended. */
  const decode = (chunk?: Buffer) => {
    try {
      decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw new Error(`${name} is not in UTF-8: convert it first.`);
    }
  };
  async function* checked(): AsyncGenerator<Buffer> {
    for await (const chunk of createReadStream(file)) {
      hash.update(chunk);
      decode(chunk);
      yield chunk;
    }
    decode();
  }
  async function* rows(): AsyncGenerator<RawRow> {
    for await (const row of readRawRows(Readable.from(checked(), { objectMode: false }), format, onHeader)) {
      rowCount += 1;
      yield row;
    }
  }
  return { rows: rows(), result: () => ({ digest: hash.copy().digest('hex'), rowCount }) };
}

function addNames(names: Set<string>, row: RawRow): void {
  if (names.size >= maxColumns) return;
  try {
    const fields: unknown = JSON.parse(row.text);
    if (isRecord(fields)) for (const name of Object.keys(fields)) names.add(name);
  } catch {
    // The line is refused, with its reason, when its turn comes.
  }
}

/** What a name stands for; `-` is standard input. */
export function statInput(name: string): Stats {
  const input = name === '-' ? fstatSync(standardInput) : statSync(name);
  if (input.isDirectory()) throw new Error(`${name} is a directory: give a file.`);
  return input;
}

/** Whether a file, by whatever name, is what is piped into the process. */
export function isStandardInput({ ino, dev }: Stats): boolean {
  const input = fstatSync(standardInput);
  return input.ino === ino && input.dev === dev;
}

/**
 * Keeps what can be read only once, such as `-` for standard input, in a temporary file until the process ends.
 *
 * @throws {Error} when nothing comes, for then what should have written it has failed
 */
export async function spool(name: string, input: Stats, signal: AbortSignal): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'pet-store-import-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, 'catalogue');
  await pipeline(openOnce(name, input), createWriteStream(file, { flags: 'wx' }), { signal });
  if (statSync(file).size === 0)
    throw new Error(`There is nothing in ${name === '-' ? 'standard input' : name}.`);
  return file;
}

/** A named pipe is not waited for in a thread, which Ctrl-C could not end. */
function openOnce(name: string, input: Stats): Readable {
  if (name === '-' || isStandardInput(input)) return process.stdin;
  if (!input.isFIFO()) return createReadStream(name);
  return new Socket({ fd: openSync(name, constants.O_RDONLY | constants.O_NONBLOCK), writable: false });
}

const standardInput = 0;
