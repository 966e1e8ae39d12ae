import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { bundleOptions } from '../../infra/service/bundle-options.ts';

/** Builds a plain handler as the functions are built, so that only the code differs. */
export function buildPlain(name: string, directory: string): void {
  const { inject: _stackTraces, ...options } = bundleOptions;
  buildSync({
    ...options,
    entryPoints: { index: join('test/bench/plain', `${name}.ts`) },
    outdir: directory,
    sourcemap: false,
    write: true,
  });
}
