import { randomUUID } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';

/**
 * Writes a file atomically, readable only by this user, except on Windows, which has no file modes. The
 * temporary name is unpredictable and must be new: nobody can have put a link there.
 */
export function writePrivateFile(path: string, text: string): void {
  const partial = `${path}.${randomUUID()}`;
  writeFileSync(partial, text, { mode: 0o600, flag: 'wx' });
  renameSync(partial, path);
}
