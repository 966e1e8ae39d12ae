import { existsSync, mkdirSync } from 'node:fs';
import { Level } from 'level';

/**
 * Makes sure that the tables can be kept in a directory, which is made if its parent exists.
 *
 * @throws {Error} saying why not: it can't be made or written, or another process has it
 */
export async function prepareDataDirectory(directory: string): Promise<void> {
  try {
    if (!existsSync(directory)) mkdirSync(directory);
    const tables = new Level(directory);
    await tables.open();
    await tables.close();
  } catch (error) {
    throw new Error(`The tables can't be kept in ${directory}: ${rootCause(error)}.`);
  }
}

function rootCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : rootCause(error.cause);
}
