import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { claimDirectory } from '../claim-directory.ts';
import { openStore } from './dynalite-store.ts';
import { type DynaliteTables, dynaliteTables } from './dynalite-tables.ts';

/** The file that marks a directory as created by the local API. */
const marker = 'pet-store.json';

/**
 * Opens the tables in a directory: a new or empty one, or one that the local API created. Any other is left
 * untouched. Without a directory, the tables are in memory.
 *
 * @throws {Error} naming the directory and the reason
 */
export async function openTables(directory?: string): Promise<DynaliteTables> {
  if (directory === undefined) return dynaliteTables(await openStore());
  claimDirectory(directory, marker);
  try {
    const folder = join(directory, 'tables');
    const names = existsSync(folder) ? readdirSync(folder) : [];
    // The directory may come from somebody else, and LevelDB would overwrite what a link points to.
    const paths = [folder, ...names.map((name) => join(folder, name))];
    const hasLink = paths.some((path) => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink());
    if (hasLink) throw new Error('its tables contain a symbolic link');
    // LevelDB has no data yet if killed while creating the folder.
    const isNew = !names.some((name) => /\.(ldb|log)$/.test(name));
    return dynaliteTables(await openStore(folder, isNew));
  } catch (error) {
    throw new Error(`The tables can't be kept in ${directory}: ${reasonOf(error)}.`);
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'LEVEL_LOCKED') return 'another process is using it';
  return error.cause === undefined ? error.message : reasonOf(error.cause);
}
