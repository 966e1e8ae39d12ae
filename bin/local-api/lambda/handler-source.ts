import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import type { Project } from '../project.ts';
import type { FunctionSpec } from '../template/deployment.ts';

type Code = Pick<FunctionSpec, 'codeDirectory' | 'handler'>;

const SourceMap = v.pipe(v.string(), v.parseJson(), v.object({ sources: v.array(v.string()) }));

/** Returns the file that a handler such as `index.handler` is in. */
export function handlerFile({ codeDirectory, handler }: Code): string {
  const [name = ''] = handler.split('.');
  const files = ['js', 'mjs', 'cjs'].map((extension) => join(codeDirectory, `${name}.${extension}`));
  return files.find((file) => existsSync(file)) ?? join(codeDirectory, name);
}

/** Returns the source file of a handler, such as `functions/get-pet.ts`, if its bundle has a source map. */
export function handlerSource(code: Code, { isHandler }: Pick<Project, 'isHandler'>): string | undefined {
  const map = `${handlerFile(code)}.map`;
  return existsSync(map) ? v.parse(SourceMap, readFileSync(map, 'utf8')).sources.find(isHandler) : undefined;
}
