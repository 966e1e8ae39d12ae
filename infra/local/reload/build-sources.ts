import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  type BuildContext,
  type BuildFailure,
  context,
  formatMessages,
  type OutputFile,
  stop,
} from 'esbuild';
import { type Bundles, type LiveProject, SourceError } from '../project.ts';
import { configurationFiles } from './watch-sources.ts';

/** What one build has read and written. */
export interface SourceBuild {
  readonly bundles: Bundles;
  readonly filesOfApp: ReadonlySet<string>;
  readonly filesOfFunctions: ReadonlySet<string>;
}

/**
 * Returns what builds the bundles of a project, and finds what its CDK app reads: Node itself runs the app
 * unbundled. Bundles are kept below `directory`, each in one named after its contents, so that a function whose
 * code is the same need not restart.
 */
export function sourceBuilder(project: LiveProject, directory: string): () => Promise<SourceBuild> {
  let opened: BuildContext | undefined;
  let handlers = '';
  // esbuild runs in a child process.
  process.once('exit', stop);

  async function open(): Promise<BuildContext> {
    const files = project.bundledFiles();
    if (opened && handlers === files.join()) return opened;
    await opened?.dispose();
    handlers = files.join();
    opened = await context({
      ...project.bundleOptions,
      external: [...(project.bundleOptions.external ?? []), ...project.appPackages],
      entryPoints: [...files, project.app],
      entryNames: '[name]',
      metafile: true,
      logLevel: 'silent',
    });
    return opened;
  }

  /** @throws {SourceError} with the mistakes in the sources, in esbuild's words */
  return async () => {
    const built = await open();
    const { metafile, outputFiles = [] } = await built.rebuild().catch(async (error: BuildFailure) => {
      const messages = await formatMessages(error.errors, { kind: 'error' });
      throw new SourceError(messages.join('').trim());
    });
    const bundles = new Map<string, string>();
    const filesOfFunctions = new Set<string>();
    let filesOfApp: ReadonlySet<string> = new Set();
    for (const [path, { entryPoint, inputs }] of Object.entries(metafile?.outputs ?? {})) {
      const files = Object.keys(inputs);
      if (entryPoint === project.app) filesOfApp = new Set(files);
      // Not for a source map.
      else if (entryPoint !== undefined) {
        const bundle = outputFiles.filter((file) => basename(file.path).startsWith(basename(path)));
        bundles.set(entryPoint, store(bundle, basename(path, '.mjs')));
        for (const file of files) filesOfFunctions.add(file);
      }
    }
    return { bundles, filesOfApp, filesOfFunctions };
  };

  /** Stores a bundle and its source map as `index`. To the CDK, a dot in the name would begin an extension. */
  function store(files: readonly OutputFile[], name: string): string {
    const hash = files.map((file) => file.hash.replaceAll('/', '_')).join('-');
    const stored = join(directory, `code-${name}-${hash}`);
    if (existsSync(stored)) return stored;
    mkdirSync(stored);
    for (const { path, contents } of files) {
      writeFileSync(join(stored, basename(path).replace(name, 'index')), contents);
    }
    return stored;
  }
}

/** Returns what reads a file of a project in any of some builds, if anything does. The stack may not be alone. */
export function readerOf(
  file: string,
  { readOnDemand }: Pick<LiveProject, 'readOnDemand'>,
  builds: readonly SourceBuild[],
): 'stack' | 'functions' | 'requests' | undefined {
  const isHandlerAddedOrGone = new Set(builds.map(({ bundles }) => bundles.has(file))).size > 1;
  if (isHandlerAddedOrGone || builds.some(({ filesOfApp }) => filesOfApp.has(file))) return 'stack';
  if (builds.some(({ filesOfFunctions }) => filesOfFunctions.has(file))) return 'functions';
  if (readOnDemand.test(file)) return 'requests';
  // A construct may read any file that is not a module.
  return configurationFiles.includes(file) || !file.endsWith('.ts') ? 'stack' : undefined;
}
