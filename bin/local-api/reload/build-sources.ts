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

/** What a build has written, and what it has read. */
export interface SourceBuild {
  readonly bundles: Bundles;
  /** The files that each handler and the CDK app read, by its own file. */
  readonly inputs: ReadonlyMap<string, readonly string[]>;
}

/**
 * Returns what builds the bundles of a project, and finds what its CDK app reads: Node itself runs the app
 * unbundled. Bundles are kept below `directory`, each in one named after its contents, so that a function whose
 * code is the same need not restart.
 */
export function sourceBuilder(project: LiveProject, directory: string) {
  // To read the SDK takes longer than the rest: both keep it in memory.
  const rebuildAll = rebuilder(project);
  const rebuildOne = rebuilder(project);
  // esbuild runs in a child process.
  process.once('exit', stop);

  /**
   * Builds the sources. After changes that only one handler or only the app reads, the rest is that of `last`.
   *
   * @throws {SourceError} with the mistakes in the sources, in esbuild's words
   */
  return async (changes: readonly string[], last?: SourceBuild): Promise<SourceBuild> => {
    const all = [...project.bundledFiles(), project.app];
    const reader = last && all.find((entryPoint) => isOnlyReader(entryPoint, changes, last));
    const rebuild = reader === undefined ? rebuildAll(all) : rebuildOne([reader]);
    const { metafile, outputFiles } = await rebuild.catch(async (error: BuildFailure) => {
      // A mistake in a shared module is one of each bundle.
      const messages = new Set(await formatMessages(error.errors, { kind: 'error' }));
      throw new SourceError([...messages].join('').trim());
    });
    const bundles = new Map(reader === undefined ? [] : last?.bundles);
    const inputs = new Map(reader === undefined ? [] : last?.inputs);
    for (const [path, output] of Object.entries(metafile.outputs)) {
      // Not for a source map.
      if (output.entryPoint === undefined) continue;
      inputs.set(output.entryPoint, Object.keys(output.inputs));
      if (output.entryPoint === project.app) continue;
      const bundle = outputFiles.filter((file) => basename(file.path).startsWith(basename(path)));
      bundles.set(output.entryPoint, store(bundle, basename(path, '.mjs')));
    }
    return { bundles, inputs };
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

/** Returns what builds entry points, sooner if they are those of the last build. */
function rebuilder({ bundleOptions, appPackages }: LiveProject) {
  let opened: BuildContext<{ metafile: true; write: false }> | undefined;
  let openedFor = '';

  return async (entryPoints: string[]) => {
    if (!opened || openedFor !== entryPoints.join()) {
      await opened?.dispose();
      openedFor = entryPoints.join();
      opened = await context({
        ...bundleOptions,
        external: [...(bundleOptions.external ?? []), ...appPackages],
        entryPoints,
        entryNames: '[name]',
        write: false,
        metafile: true,
        logLevel: 'silent',
      });
    }
    return opened.rebuild();
  };
}

/** Returns whether an entry point reads each of some files, and no other reads any of them. */
function isOnlyReader(entryPoint: string, files: readonly string[], { inputs }: SourceBuild): boolean {
  return [...inputs].every(([reader, read]) =>
    files.every((file) => read.includes(file) === (reader === entryPoint)),
  );
}

/** Returns what reads a file of a project in any of some builds, if anything does. The stack may not be alone. */
export function readerOf(
  file: string,
  { app, readOnDemand }: Pick<LiveProject, 'app' | 'readOnDemand'>,
  builds: readonly SourceBuild[],
): 'stack' | 'functions' | 'requests' | undefined {
  const isHandlerAddedOrGone = new Set(builds.map(({ bundles }) => bundles.has(file))).size > 1;
  const readers = builds.flatMap(({ inputs }) =>
    [...inputs].flatMap(([reader, read]) => (read.includes(file) ? [reader] : [])),
  );
  if (isHandlerAddedOrGone || readers.includes(app)) return 'stack';
  if (readers.length > 0) return 'functions';
  if (readOnDemand.test(file)) return 'requests';
  // A construct may read any file that is not a module.
  return configurationFiles.includes(file) || !file.endsWith('.ts') ? 'stack' : undefined;
}
