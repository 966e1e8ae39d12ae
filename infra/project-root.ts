import { realpathSync } from 'node:fs';
import { join, sep } from 'node:path';

/**
 * The absolute path of the project's directory, with a separator at its end. It has no links, because esbuild
 * resolves them in the paths of sources, which are relative to this directory in source maps.
 */
export const projectRoot = realpathSync(join(import.meta.dirname, '..')) + sep;
