import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Level } from 'level';

/** There while a local API has the directory; still there when it was killed. */
const inUse = 'in-use';

/**
 * Makes sure that the tables can be kept in a directory, which is made if its parent exists.
 *
 * @returns whether the process that had it last was killed
 * @throws {Error} saying why not: it can't be made or written, or another process has it
 */
export async function openDataDirectory(directory: string): Promise<{ wasKilled: boolean }> {
  try {
    if (!existsSync(directory)) mkdirSync(directory);
    const tables = new Level(directory);
    await tables.open();
    await tables.close();

    const wasKilled = existsSync(join(directory, inUse));
    writeFileSync(join(directory, inUse), '');
    return { wasKilled };
  } catch (error) {
    throw new Error(`The tables can't be kept in ${directory}: ${rootCause(error)}.`);
  }
}

/** Leaves a directory whose tables are closed. */
export function closeDataDirectory(directory: string): void {
  rmSync(join(directory, inUse), { force: true });
}

function rootCause(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : rootCause(error.cause);
}
