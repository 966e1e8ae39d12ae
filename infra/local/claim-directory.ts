import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Marks a new or empty directory as created by this program.
 *
 * @throws {Error} if the directory has other files and no marker; it is left untouched
 */
export function claimDirectory(directory: string, marker: string): void {
  // Also with an existing directory: another process may have just created it.
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const names = readdirSync(directory);
  if (names.length === 0) writeFileSync(join(directory, marker), '{"format":1}\n');
  else if (!names.includes(marker)) {
    throw new Error(`${directory} has other files: pass an empty directory, or one that does not exist.`);
  }
}
