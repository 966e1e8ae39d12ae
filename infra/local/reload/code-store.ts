import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

interface CodeFile {
  readonly path: string;
  readonly contents: Uint8Array;
}

/**
 * Keeps files of code below `root`, in a directory named after their contents: a function whose code is the
 * same, regardless of what built it, stays in the same directory and need not restart.
 *
 * @returns the directory
 */
export function storeCode(root: string, files: readonly CodeFile[]): string {
  const hash = createHash('sha256');
  const named = files.map(({ path, contents }) => ({ name: basename(path), contents }));
  for (const { name, contents } of named.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    hash.update(`${name} ${contents.length}\n`).update(contents);
  }
  const directory = join(root, `code.${hash.digest('hex')}`);
  if (existsSync(directory)) return directory;

  const incomplete = `${directory}.incomplete`;
  mkdirSync(incomplete, { recursive: true });
  for (const { name, contents } of named) writeFileSync(join(incomplete, name), contents);
  renameSync(incomplete, directory);
  return directory;
}

export const readCode = (directory: string): CodeFile[] =>
  readdirSync(directory).map((name) => {
    const path = join(directory, name);
    return { path, contents: readFileSync(path) };
  });
