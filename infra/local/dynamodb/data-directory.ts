import {
  copyFileSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Level } from 'level';
import * as v from 'valibot';

/** The file that marks a directory as the local API's own, and says whether its tables have been created. */
const marker = 'pet-store.json';
const Marker = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ format: v.literal(1), tables: v.picklist(['being created', 'created']) }),
);
type State = v.InferOutput<typeof Marker>['tables'];

/** The folder of LevelDB, which deletes files there whose names look like its own. */
const tablesFolder = 'tables';

/** This file is there while a local API runs on the directory, and stays when it is killed. */
const inUse = 'in-use';

/** A directory that is ready to be used. */
export interface DataDirectory {
  /** The folder of the tables. */
  readonly tables: string;
  /** Whether the process that had it last was killed. */
  readonly wasKilled: boolean;
}

/**
 * Opens a directory to keep the tables in: the local API's own, an empty one, or a new one in an existing parent. Any
 * other is left untouched, byte for byte.
 *
 * @throws {Error} naming the directory and the reason: it can't be created or written, holds something else, is damaged,
 *   or is in use by another process
 */
export async function openDataDirectory(directory: string): Promise<DataDirectory> {
  const tables = join(directory, tablesFolder);
  try {
    if (!exists(directory)) mkdirSync(directory, { mode: 0o700 });
    if (stateOf(directory) === 'being created') {
      await openAndClose(tables, true);
      writeMarker(directory, 'created');
    } else {
      await check(directory, tables);
      await openAndClose(tables, false);
    }
    const wasKilled = exists(join(directory, inUse));
    if (!wasKilled) writeFileSync(join(directory, inUse), '', { flag: 'wx' });
    return { tables, wasKilled };
  } catch (error) {
    throw new Error(`The tables can't be kept in ${directory}: ${rootCause(error)}.`);
  }
}

/** Leaves a directory whose tables are closed. */
export function closeDataDirectory(directory: string): void {
  rmSync(join(directory, inUse), { force: true });
}

/** Reads the marker of a directory; an empty directory gets one. */
function stateOf(directory: string): State {
  const names = readdirSync(directory);
  if (names.length === 0) {
    writeMarker(directory, 'being created');
    return 'being created';
  }
  if (!names.includes(marker)) {
    throw new Error("it has files of something else; give an empty directory, or one that doesn't exist");
  }
  const { success, output } = v.safeParse(Marker, readFileSync(join(directory, marker), 'utf8'));
  if (!success) throw new Error(`its ${marker} is damaged`);
  const isReal = lstatSync(join(directory, tablesFolder), { throwIfNoEntry: false })?.isDirectory();
  if (isReal === false || (isReal === undefined && output.tables === 'created')) {
    throw new Error(`its folder ${tablesFolder} is missing or damaged`);
  }
  return output.tables;
}

/** Replaces the marker atomically. */
function writeMarker(directory: string, tables: State): void {
  const file = join(directory, marker);
  const content: v.InferOutput<typeof Marker> = { format: 1, tables };
  rmSync(`${file}.new`, { force: true });
  writeFileSync(`${file}.new`, `${JSON.stringify(content)}\n`, { flag: 'wx' });
  renameSync(`${file}.new`, file);
}

/**
 * Checks the tables for damage through links to their files, since LevelDB writes and deletes files before it finds any.
 * It reads everything, which takes about 5 microseconds a pet.
 */
async function check(directory: string, tables: string): Promise<void> {
  const links = join(directory, 'check');
  rmSync(links, { recursive: true, force: true });
  mkdirSync(links);
  try {
    for (const name of readdirSync(tables)) linkOrCopy(join(tables, name), join(links, name));
    await openAndClose(links, false, async (level) => {
      for await (const _ of level.keys());
      // dynalite deletes the description of a table if it can't be parsed.
      for await (const _ of level.values({ gte: 'table~', lt: 'table~\u00ff' }));
    });
    // LevelDB skips recent writes that it can't read, and mentions it only in its log.
    const [, dropped] = /: (dropping \d+ bytes; .+)/.exec(readFileSync(join(links, 'LOG'), 'utf8')) ?? [];
    if (dropped !== undefined) throw new Error(dropped);
  } catch (error) {
    const cause = rootCause(error).replaceAll(links, tables);
    throw new Error(
      cause.startsWith('IO error: lock ')
        ? 'another process is using it'
        : `its tables are damaged (${cause})`,
    );
  } finally {
    rmSync(links, { recursive: true, force: true });
  }
}

/** Not every file system supports links. */
function linkOrCopy(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}

async function openAndClose(
  folder: string,
  createIfMissing: boolean,
  read?: (level: Level<string, unknown>) => Promise<void>,
): Promise<void> {
  const level = new Level<string, unknown>(folder, { createIfMissing, valueEncoding: 'json' });
  await level.open();
  try {
    await read?.(level);
  } finally {
    await level.close();
  }
}

const exists = (path: string) => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

function rootCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : rootCause(error.cause);
}
