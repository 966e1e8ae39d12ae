import {
  appendFileSync,
  chmodSync,
  closeSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { header, type KeptData, type KeptRecord, readKeptData } from './kept-data.ts';

export interface JournalOptions {
  /** Its folder is only for such files. No other process may use it at the same time. */
  readonly path: string;
  /** Whether to delete what earlier starts have kept. */
  readonly isFresh: boolean;
}

export interface Journal {
  readonly path: string;
  /** What earlier starts have kept. */
  readonly kept: KeptData;
  /**
   * Appends a record.
   *
   * @throws {Error} if it can't be written; then nothing of it remains in the file
   */
  append(record: KeptRecord): void;
  /** Replaces the file of the earlier starts, if there is one, by these records. Records are appended later. */
  replace(records: readonly KeptRecord[]): void;
  close(): void;
}

const nothing: KeptData = { items: [], values: new Map() };

/** The folder or its file system is read-only, or belongs to another user. */
const readOnlyCodes = new Set<unknown>(['EACCES', 'EPERM', 'EROFS']);

/**
 * Opens the file that keeps the tables, and values such as a key. Every write is appended before it is acknowledged, so
 * none is lost when the process is killed. Each start writes a new file, which replaces the old one when
 * it is complete.
 *
 * @returns undefined, after saying so, if the folder is read-only
 *
 * @throws {Error} if the file is damaged, or is a link
 */
export function openJournal({ path, isFresh }: JournalOptions): Journal | undefined {
  const folder = dirname(path);
  mustBe('isDirectory', folder);
  mustBe('isFile', path);
  const kept = isFresh ? nothing : readKeptData(path);
  const newPath = `${path}.new`;
  const file = createFile(newPath);
  if (file === undefined) {
    console.error(`Nothing is kept: ${folder} can't be written.`);
    return undefined;
  }

  let size = 0;
  /** Whether the file ends with a part of a record. */
  let isTorn = false;

  const append = (...records: readonly object[]): void => {
    const lines = Buffer.from(records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    try {
      if (isTorn) ftruncateSync(file, size);
      isTorn = true;
      appendFileSync(file, lines);
      isTorn = false;
      size += lines.length;
    } catch (error) {
      throw new Error(`${path} can't be written: ${error instanceof Error ? error.message : error}`);
    }
  };

  const replace = (records: readonly KeptRecord[]): void => {
    append(header);
    for (let start = 0; start < records.length; start += 1000) {
      append(...records.slice(start, start + 1000));
    }
    renameSync(newPath, path);
  };

  return { path, kept, append, replace, close: () => closeSync(file) };
}

/** Windows cannot open a file without following a link, but lstat does not follow it. */
function mustBe(kind: 'isDirectory' | 'isFile', path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats || stats[kind]()) return;
  const isLink = stats.isSymbolicLink() ? 'a link, which is not followed' : 'something else';
  throw new Error(`${path} must be a ${kind === 'isFile' ? 'file' : 'folder'}, but is ${isLink}: remove it.`);
}

/** Creates a file in a folder that only this user can read, or returns undefined if it can't. */
function createFile(path: string): number | undefined {
  try {
    mkdirSync(dirname(path), { recursive: true });
    chmodSync(dirname(path), 0o700);
    // A start that was killed may have left it.
    rmSync(path, { force: true });
    // It must not exist, not even as a link.
    return openSync(path, 'ax', 0o600);
  } catch (error) {
    if (error instanceof Error && 'code' in error && readOnlyCodes.has(error.code)) return undefined;
    throw error;
  }
}
