import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';

/**
 * Returns Scalar's script, a string in the code of its Fastify plugin: Scalar's own package has 270
 * dependencies (287 MB).
 */
export function scalarScript(): string {
  const path = fileURLToPath(import.meta.resolve('@scalar/fastify-api-reference'));
  const [, literal] = /^var standalone_default = (".+");$/m.exec(readFileSync(path, 'utf8')) ?? [];
  if (literal === undefined) throw new Error(`${path} has no standalone_default.`);
  return `${runInNewContext(literal)}`;
}
