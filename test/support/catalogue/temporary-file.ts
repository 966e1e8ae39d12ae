import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** The path of a file that is not there yet, in a directory that goes away with the test. */
export function temporaryFile(name: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'pet-store-test-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return join(directory, name);
}
