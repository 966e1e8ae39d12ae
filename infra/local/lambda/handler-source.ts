import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import type { FunctionSpec } from '../template/deployment.ts';

const SourceMap = v.pipe(v.string(), v.parseJson(), v.object({ sources: v.array(v.string()) }));

/**
 * Returns the source file of the handler whose bundle is in a directory, such as `functions/get-pet.ts`, or
 * undefined if it is not a bundle of this project.
 */
export function handlerSource(codeDirectory: string, file = 'index'): string | undefined {
  const map = join(codeDirectory, `${file}.mjs.map`);
  if (!existsSync(map)) return undefined;
  const { sources } = v.parse(SourceMap, readFileSync(map, 'utf8'));
  return sources.find((name) => name.startsWith('functions/'));
}

/** Returns what a developer knows a function by: the source file of its handler, or else its own name. */
export function functionSource({ name, codeDirectory, handler }: FunctionSpec): string {
  const [file] = handler.split('.');
  return handlerSource(codeDirectory, file) ?? name;
}
