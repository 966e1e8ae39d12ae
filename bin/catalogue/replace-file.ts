import { randomUUID } from 'node:crypto';
import { chmodSync, lstatSync, readlinkSync, renameSync, rmSync, statSync } from 'node:fs';
import { open, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

/**
 * Writes a file beside its place, and puts it there when it is complete: until then, an earlier file keeps its
 * content. A symbolic link stays one. What is not a file, such as `/dev/null` or a pipe, is written to.
 */
export async function replaceFile(path: string, text: AsyncIterable<string>): Promise<void> {
  const existing = statSync(path, { throwIfNoEntry: false });
  if (existing?.isFile() === false || /^\/(dev|proc)\//.test(resolve(path))) return writeFile(path, text);
  const target = linkedFile(path);
  const unfinished = join(dirname(target), `.${basename(target)}.${randomUUID()}`);
  const remove = () => rmSync(unfinished, { force: true });
  process.once('exit', remove);
  try {
    await using file = await open(unfinished, 'wx', existing?.mode);
    await file.writeFile(text);
    await file.sync();
    if (existing) chmodSync(unfinished, existing.mode);
    renameSync(unfinished, target);
  } finally {
    remove();
    process.off('exit', remove);
  }
}

/** Follows symbolic links, also to a file that does not exist yet. */
function linkedFile(path: string, depth = 0): string {
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink();
  if (!isLink) return path;
  if (depth === 40) throw new Error(`${path} is a loop of symbolic links.`);
  return linkedFile(resolve(dirname(path), readlinkSync(path)), depth + 1);
}
