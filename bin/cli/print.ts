import { once } from 'node:events';
import { printable } from '../../infra/local/text/printable.ts';

/** Writes to standard output, no faster than it is read; a terminal gets control characters escaped. */
export async function print(text: string): Promise<void> {
  if (!process.stdout.write(process.stdout.isTTY ? printable(text) : text))
    await once(process.stdout, 'drain');
}
