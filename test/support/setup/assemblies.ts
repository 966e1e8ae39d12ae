import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** The directory of the assemblies that the test files of a run share. */
    assemblies: string;
  }
}

export function setup(project: TestProject): () => void {
  const directory = mkdtempSync(join(tmpdir(), 'pet-store-test-'));
  const remove = () => rmSync(directory, { recursive: true });
  project.provide('assemblies', directory);
  // In watch mode, the sources of the stack may have changed.
  project.onTestsRerun(() => {
    remove();
    mkdirSync(directory);
  });
  return remove;
}
