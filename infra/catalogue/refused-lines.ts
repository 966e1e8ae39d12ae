import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';

/** Where refused lines are written, with their reasons. */
export interface RefusedLines {
  add(line: number, reason: string): void;
  close(): Promise<void>;
}

/** A file of refused lines, one JSON object a line; it is made when there is one. */
export function createRefusedLines(file: string): RefusedLines {
  let stream: WriteStream | undefined;
  return {
    add(line, reason) {
      stream ??= createWriteStream(file);
      stream.write(`${JSON.stringify({ line, reason })}\n`);
    },
    async close() {
      if (!stream) return;
      stream.end();
      await once(stream, 'finish');
    },
  };
}
