import { expect } from 'vitest';

/** For all headers of a message, Node and API Gateway allow less. */
export const headerLength = 64 * 1024;

/**
 * Expects that a text is read, or rejected, in little time, however long and hostile it is.
 *
 * @param length - the longest text that its source allows
 * @param hostile - the beginning of a text and the part that it repeats, separated by `|`
 */
export function expectLittleTime(
  read: (text: string) => unknown,
  length: number,
  hostile: readonly string[],
) {
  for (const pattern of hostile) {
    const [begin = '', part = ''] = pattern.split('|');
    // In steps, so that what takes exponential time fails instead of hanging.
    for (const size of [32, 48, 64, 96, 128, length]) {
      const text = begin + part.repeat(size / part.length);
      const start = process.cpuUsage();

      for (const end of ['', '\0', 'a']) readOrReject(read, text + end);

      const seconds = process.cpuUsage(start).user / 1e6;
      expect(seconds, `${JSON.stringify(pattern)} of ${size} took`).toBeLessThan(2);
    }
  }
}

function readOrReject(read: (text: string) => unknown, text: string): void {
  try {
    // A rejection takes no time of its own.
    Promise.resolve(read(text)).catch(() => undefined);
  } catch {}
}
