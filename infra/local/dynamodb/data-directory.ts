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

/** What makes a directory the local API's own; it says whether the tables have been made yet. */
const marker = 'pet-store.json';
const Marker = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ format: v.literal(1), tables: v.picklist(['being made', 'made']) }),
);
type State = v.InferOutput<typeof Marker>['tables'];

/** The folder of LevelDB, which deletes there what it takes for its own. */
const tablesFolder = 'tables';

/** There while a local API has the directory; still there when it was killed. */
const inUse = 'in-use';

/** A directory that is ready to be used. */
export interface DataDirectory {
  /** The folder of the tables. */
  readonly tables: string;
  /** Whether the process that had it last was killed. */
  readonly wasKilled: boolean;
}

/**
 * Makes sure that the tables can be kept in a directory: the local API's own, or an empty one, or a new one whose parent
 * exists. Any other is left as it is, byte for byte.
 *
 * @throws {Error} naming it, and saying why not: it can't be made or written, is something else's or damaged, or another
 *   process has it
 */
export async function openDataDirectory(directory: string): Promise<DataDirectory> {
  const tables = join(directory, tablesFolder);
  try {
    if (!exists(directory)) mkdirSync(directory, { mode: 0o700 });
    if (stateOf(directory) === 'being made') {
      await openAndClose(tables, true);
      writeMarker(directory, 'made');
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

/** How far the directory has come; an empty one is marked as the local API's own. */
function stateOf(directory: string): State {
  const names = readdirSync(directory);
  if (names.length === 0) {
    writeMarker(directory, 'being made');
    return 'being made';
  }
  if (!names.includes(marker)) {
    throw new Error("it has files of something else; give an empty directory, or one that doesn't exist");
  }
  const { success, output } = v.safeParse(Marker, readFileSync(join(directory, marker), 'utf8'));
  if (!success) throw new Error(`its ${marker} is damaged`);
  const isReal = lstatSync(join(directory, tablesFolder), { throwIfNoEntry: false })?.isDirectory();
  if (isReal === false || (isReal === undefined && output.tables === 'made')) {
    throw new Error(`its folder ${tablesFolder} is missing or damaged`);
  }
  return output.tables;
}

/** Whoever reads the marker finds it whole: it is written beside its place, and moved there. */
function writeMarker(directory: string, tables: State): void {
  const file = join(directory, marker);
  const content: v.InferOutput<typeof Marker> = { format: 1, tables };
  rmSync(`${file}.new`, { force: true });
  writeFileSync(`${file}.new`, `${JSON.stringify(content)}\n`, { flag: 'wx' });
  renameSync(`${file}.new`, file);
}

/**
 * Opens links to the files, and reads them all: LevelDB writes new files and deletes old ones before it has found what is
 * damaged. It takes some 5 microseconds a pet.
 */
async function check(directory: string, tables: string): Promise<void> {
  const links = join(directory, 'check');
  rmSync(links, { recursive: true, force: true });
  mkdirSync(links);
  try {
    for (const name of readdirSync(tables)) linkOrCopy(join(tables, name), join(links, name));
    await openAndClose(links, false, async (level) => {
      for await (const _ of level.keys());
      // Those are the descriptions of the tables: dynalite would delete one that it can't read.
      for await (const _ of level.values({ gte: 'table~', lt: 'table~\u00ff' }));
    });
    // What it can't read of the newest writes LevelDB leaves out, and says so in its log alone.
    const [, dropped] = /: (dropping \d+ bytes; .+)/.exec(readFileSync(join(links, 'LOG'), 'utf8')) ?? [];
    if (dropped !== undefined) throw new Error(dropped);
  } catch (error) {
    throw new Error(`its tables are damaged or in use (${rootCause(error).replaceAll(links, tables)})`);
  } finally {
    rmSync(links, { recursive: true, force: true });
  }
}

/** Not every file system has links. */
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
