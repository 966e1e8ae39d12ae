import { renameSync, writeFileSync } from 'node:fs';

/** Writes a file atomically, readable only by this user. */
export function writePrivateFile(path: string, text: string): void {
  const partial = `${path}.${process.pid}`;
  writeFileSync(partial, text, { mode: 0o600 });
  renameSync(partial, path);
}
