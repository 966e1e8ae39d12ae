import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished, TestRunner } from 'vitest';

/**
 * Returns a new directory, which `cleanUp` deletes: by default after the test that calls this, or else after the
 * tests of the file or suite.
 */
export function temporaryDirectory(cleanUp: (remove: () => void) => void = afterTests): string {
  const directory = mkdtempSync(join(tmpdir(), 'pet-store-test-'));
  // A process that is just ending may still write to it.
  cleanUp(() => rmSync(directory, { recursive: true, maxRetries: 10 }));
  return directory;
}

/** Returns the path of a new file, in a directory that is deleted after the test. */
export const temporaryFile = (name: string) => join(temporaryDirectory(onTestFinished), name);

/** In a test, Vitest ignores `afterAll`. */
const afterTests = (remove: () => void) =>
  TestRunner.getCurrentTest() === undefined ? afterAll(remove) : onTestFinished(remove);
