import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { TextDecoder } from 'node:util';
import { type Format, type RawRow, readRawRows } from './rows.ts';

/** A catalogue to be imported. */
export interface Source {
  /** SHA-256 of the content, in hex: what tells one catalogue from another. */
  readonly digest: string;
  readonly rowCount: number;
  rows(): AsyncIterable<RawRow>;
}

/**
 * Reads a catalogue through once, before anything is done with it, without holding it.
 *
 * @throws {Error} when the file can't be read, is not in UTF-8, or is no CSV
 */
export async function openSource(file: string, format: Format): Promise<Source> {
  const hash = createHash('sha256');
  const decoder = new TextDecoder('utf-8', { fatal: true });
  /** Without a chunk it looks for a character that was begun and not ended. */
  const decode = (chunk?: Buffer) => {
    try {
      decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw new Error(`${file} is not in UTF-8: convert it first.`);
    }
  };
  for await (const chunk of createReadStream(file)) {
    hash.update(chunk);
    decode(chunk);
  }
  decode();
  const rows = () => readRawRows(createReadStream(file), format);
  let rowCount = 0;
  for await (const _row of rows()) rowCount += 1;
  return { digest: hash.digest('hex'), rowCount, rows };
}

/** Keeps what is piped in in a temporary file until the process ends: it has to be read more than once. */
export async function spool(input: Readable): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'pet-store-import-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  const file = join(directory, 'catalogue');
  await pipeline(input, createWriteStream(file));
  return file;
}
