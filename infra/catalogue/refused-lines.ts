import { closeSync, openSync, rmSync, writeSync } from 'node:fs';

/** Where refused lines are written, with their reasons. */
export interface RefusedLines {
  add(line: number, reason: string): void;
  close(): void;
}

/**
 * A file of refused lines, one JSON object a line; it is made when there is one, and takes the place of an older one.
 *
 * @throws {Error} when it can't be written
 */
export function createRefusedLines(file: string): RefusedLines {
  rmSync(file, { force: true });
  let descriptor: number | undefined;
  return {
    add(line, reason) {
      descriptor ??= openSync(file, 'w');
      writeSync(descriptor, `${JSON.stringify({ line, reason })}\n`);
    },
    close() {
      if (descriptor !== undefined) closeSync(descriptor);
    },
  };
}
