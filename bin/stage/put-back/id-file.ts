import { readFileSync, writeFileSync } from 'node:fs';
import type { TableDefinition } from '../../../shared/tables/table.ts';
import { isOfKeys, keyOf } from './item.ts';

/** Ids of items; each with the version that its item had when it was compared, if the file has it. */
export type Ids = ReadonlyMap<string, string | undefined>;

/**
 * Reads a file with an id on each line, and after a tab perhaps a version.
 *
 * @throws {Error} if a line has no id of the table: an id that is not recognized would be ignored
 */
export function readIds(table: TableDefinition, path: string): Ids {
  const lines = readFileSync(path, 'utf8').split('\n');
  return new Map(
    lines.flatMap((line, index) => {
      const [id = '', version] = line.trim().split('\t');
      if (id === '') return [];
      if (isOfKeys(table) ? !/^[0-9a-f]{12}$/.test(id) : !keyOf(table, id)) {
        throw new Error(`Line ${index + 1} of ${path} has no id of ${table.id}.`);
      }
      return [[id, version] as const];
    }),
  );
}

/**
 * Reads a file that {@link writeIds} has written.
 *
 * @throws {Error} if a line lacks the version, so that nobody could tell whether the item has changed since
 */
export function readVersions(table: TableDefinition, path: string): Ids {
  const ids = readIds(table, path);
  for (const [id, version] of ids) {
    if (version === undefined)
      throw new Error(`${path} has no version of ${id}: pass lines of a file that this command wrote.`);
  }
  return ids;
}

/** Writes a new file with ids and versions, and returns its path, which begins like this. */
export function writeIds(prefix: string, ids: Ids): string {
  const path = `${prefix}-${new Date().toISOString().replaceAll(/\D/g, '')}.txt`;
  const lines = [...ids].map(([id, version]) => `${id}\t${version}\n`);
  writeFileSync(path, lines.join(''), { flag: 'wx' });
  return path;
}
