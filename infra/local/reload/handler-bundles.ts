import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BuildOptions, context } from 'esbuild';
import { bundleOptions, project } from '../../service/bundle-options.ts';
import type { Deployment } from '../template/deployment.ts';

const options = {
  ...bundleOptions,
  entryPoints: ['functions/*.ts'],
  // Handlers share chunks, named by content: a change rebuilds and recompiles little other code.
  splitting: true,
  entryNames: '[name]-[hash]',
  chunkNames: 'chunk-[hash]',
  metafile: true,
  logLevel: 'silent',
} as const satisfies BuildOptions;

export type HandlerBundles = ReturnType<typeof handlerBundles>;

/**
 * Returns the bundles of all handlers, rebuilt from changed sources. They are written to `directory`. With
 * `isDebugged` they run the sources, which have the breakpoints.
 */
export function handlerBundles(directory: string, isDebugged: boolean) {
  const builds = context(options);
  const written = (path: string) => join(directory, relative(project, path));
  /** The directory of each handler's bundle, by its source. */
  const directories = new Map<string, string>();

  return {
    /** Builds all bundles. One that changed gets a new directory: workers may still run the old one. */
    async build(): Promise<void> {
      const { metafile, outputFiles } = await (await builds).rebuild();
      for (const { path, contents } of outputFiles) writeFileSync(written(path), contents);

      for (const [path, { entryPoint }] of Object.entries(metafile.outputs)) {
        if (entryPoint === undefined) continue;
        const file = written(join(project, path));
        const bundle = file.slice(0, -'.mjs'.length);
        const code = isDebugged ? join(project, entryPoint) : file;
        mkdirSync(bundle, { recursive: true });
        writeFileSync(join(bundle, 'index.mjs'), `export * from ${JSON.stringify(pathToFileURL(code))};\n`);
        directories.set(entryPoint, bundle);
      }
    },

    /** Returns a deployment with its functions' latest code, looked up by source. */
    latest: (deployment: Deployment): Deployment =>
      withCode(deployment, (source) => directories.get(source) ?? source),
  };
}

/** Returns a deployment whose functions are identified by source, such as `functions/get-pet.ts`. */
export const bySource = (deployment: Deployment): Deployment => withCode(deployment, sourceOf);

/** Returns the handler that a bundle was built from, according to its source map. */
function sourceOf(directory: string): string {
  const { sources }: { readonly sources: readonly string[] } = JSON.parse(
    readFileSync(join(directory, 'index.mjs.map'), 'utf8'),
  );
  return sources.find((file) => file.startsWith('functions/')) ?? directory;
}

const withCode = (
  { functions, ...deployment }: Deployment,
  codeOf: (directory: string) => string,
): Deployment => ({
  ...deployment,
  functions: functions.map((spec) => ({ ...spec, codeDirectory: codeOf(spec.codeDirectory) })),
});
