import { appendFileSync, rmSync } from 'node:fs';

/**
 * A file of refused lines with their reasons, one JSON object a line; it is made when there is one, and takes the place
 * of an older one. What is returned adds a line.
 *
 * @throws {Error} when it can't be written
 */
export function createRefusedLines(file: string): (line: number, reason: string) => void {
  rmSync(file, { force: true });
  return (line, reason) => appendFileSync(file, `${JSON.stringify({ line, reason })}\n`);
}
