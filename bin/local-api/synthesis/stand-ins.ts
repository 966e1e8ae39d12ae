import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Bundles } from '../project.ts';

/**
 * Returns what stands in a template for the bundles of handlers, kept below `directory`: an empty module whose source
 * map names the handler. So a stack does not change with the code of its functions.
 */
export const standIns = (handlers: readonly string[], directory: string): Bundles =>
  new Map(handlers.map((handler) => [handler, standIn(handler, directory)]));

function standIn(handler: string, directory: string): string {
  const stored = join(directory, `stand-in-${basename(handler, '.ts')}`);
  if (existsSync(stored)) return stored;
  mkdirSync(stored);
  writeFileSync(join(stored, 'index.mjs'), '');
  writeFileSync(
    join(stored, 'index.mjs.map'),
    JSON.stringify({ version: 3, sources: [handler], mappings: '' }),
  );
  return stored;
}
