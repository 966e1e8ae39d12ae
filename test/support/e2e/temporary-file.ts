import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';

/** Returns the path of a new file, in a directory that is deleted after the test. */
export function temporaryFile(name: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'pet-store-test-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  return join(directory, name);
}

/** Returns a new directory, which is deleted after the tests of a file. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'pet-store-test-'));
  afterAll(() => rmSync(directory, { recursive: true }));
  return directory;
}
