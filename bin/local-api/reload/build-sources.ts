import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  type BuildContext,
  type BuildFailure,
  type BuildOptions,
  context,
  formatMessages,
  type Metafile,
  type Note,
  type OutputFile,
  type Plugin,
  stop,
} from 'esbuild';
import { type LiveProject, SourceError } from '../project.ts';
import { readersOf, type SourceBuild } from './changes.ts';
import { sourceSnapshot } from './source-snapshot.ts';

/** What an entry point was built to. */
interface Output {
  readonly entryPoint: string;
  /** The files that it reads. */
  readonly inputs: readonly string[];
  readonly files: readonly OutputFile[];
}

/**
 * Returns what builds the functions and the CDK app of a project, all from the same state of its sources. Bundles are
 * kept below `directory`, each in one named after its contents, so that a function whose code is the same need not
 * restart.
 *
 * @param onApp - gets the CDK app as soon as it is built, in one module without its packages
 */
export function sourceBuilder(project: LiveProject, directory: string, onApp?: (app: string) => void) {
  const { app, bundleOptions } = project;
  const snapshot = sourceSnapshot(project);
  const ofFunctions = {
    ...bundleOptions,
    entryNames: '[name]',
    chunkNames: '[name]-[hash]',
    // What functions share is written once: to write the SDK for each takes most of a build.
    splitting: bundleOptions.format === 'esm',
    plugins: [...(bundleOptions.plugins ?? []), snapshot.ofFunctions],
  };
  const rebuildFunctions = rebuilder(ofFunctions);
  const rebuildApp = rebuilder(appOptions(project.root, [packagesOfNode(), snapshot.ofApp]));
  // esbuild runs in a child process.
  process.once('exit', stop);

  /**
   * Builds the sources. What reads none of the changes is that of `last`.
   *
   * @throws {SourceError} with the mistakes in the sources, in esbuild's words
   */
  return async (changes: readonly string[], last?: SourceBuild): Promise<SourceBuild> => {
    const handlers = project.bundledFiles();
    // What a file that nothing has read changes is not known.
    const isKnown = (file: string) => last !== undefined && readersOf([file], last).length > 0;
    const readers = last && changes.every(isKnown) ? readersOf(changes, last) : [...handlers, app];
    const isChanged = handlers.some((handler) => readers.includes(handler));

    snapshot.renew();
    const builds = await Promise.allSettled([
      rebuildFunctions(isChanged ? handlers : []),
      // It is built sooner, and its stack can be synthesized beside the rest.
      rebuildApp(readers.includes(app) ? [app] : []).then((outputs) => {
        for (const { files } of outputs) onApp?.(files[0]?.text ?? '');
        return outputs;
      }),
    ]);
    await throwMistakes(builds);

    const outputs = builds.flatMap((each) => ('value' in each ? each.value : []));
    const bundles = outputs
      .filter(({ entryPoint }) => entryPoint !== app)
      .map(({ entryPoint, files }) => [entryPoint, store(files)] as const);
    const isThere = ([entryPoint]: readonly [string, unknown]) => [...handlers, app].includes(entryPoint);
    return {
      bundles: new Map([...(last?.bundles ?? []), ...bundles].filter(isThere)),
      app: outputs.find(({ entryPoint }) => entryPoint === app)?.files[0]?.text ?? last?.app ?? '',
      inputs: new Map(
        [
          ...(last?.inputs ?? []),
          ...outputs.map(({ entryPoint, inputs }) => [entryPoint, inputs] as const),
        ].filter(isThere),
      ),
    };
  };

  /** Stores a bundle and its source map as `index`. To the CDK, a dot in the name would begin an extension. */
  function store(files: readonly OutputFile[]): string {
    const name = basename(files[0]?.path ?? '').replace(/\..*/, '');
    const hash = createHash('sha256')
      .update(files.map((file) => file.hash).join())
      .digest('base64url');
    const stored = join(directory, `code-${name}-${hash}`);
    if (existsSync(stored)) return stored;
    mkdirSync(stored);
    for (const { path, contents } of files) {
      writeFileSync(join(stored, basename(path).replace(name, 'index')), contents);
    }
    return stored;
  }
}

/** Returns how to build a CDK app to one module, whose packages and places are those of its sources. */
const appOptions = (root: string, plugins: Plugin[]): BuildOptions => ({
  absWorkingDir: root,
  outdir: root,
  // The source map is relative to it.
  outbase: root,
  entryNames: '[dir]/[name]',
  bundle: true,
  platform: 'node',
  format: 'esm',
  // Constructs may be named after their classes.
  keepNames: true,
  sourcemap: 'inline',
  sourcesContent: false,
  plugins,
});

/** Returns what builds entry points, sooner if they are those of the last build. */
function rebuilder(options: BuildOptions) {
  let opened: BuildContext<{ metafile: true; write: false }> | undefined;
  let openedFor = '';

  return async (entryPoints: readonly string[]): Promise<readonly Output[]> => {
    if (entryPoints.length === 0) return [];
    if (!opened || openedFor !== entryPoints.join()) {
      await opened?.dispose();
      openedFor = entryPoints.join();
      opened = await context({
        ...options,
        entryPoints: [...entryPoints],
        write: false,
        metafile: true,
        logLevel: 'silent',
      });
    }
    const { metafile, outputFiles } = await opened.rebuild();
    return Object.entries(metafile.outputs).flatMap(([path, { entryPoint }]) => {
      // Not for a source map, or what several entry points share.
      if (entryPoint === undefined) return [];
      const paths = withImports(path, metafile);
      const files = paths.flatMap((each) =>
        outputFiles.filter((file) => basename(file.path).startsWith(basename(each))),
      );
      const inputs = paths.flatMap((each) => Object.keys(metafile.outputs[each]?.inputs ?? {}));
      return [{ entryPoint, inputs, files }];
    });
  };
}

/** Leaves packages to Node. One that is not installed is a mistake, with the place of its import. */
function packagesOfNode(): Plugin {
  // To ask esbuild for each import at each build would take longer than the build.
  const found = new Set<string>();
  const findsIt = {};
  return {
    name: 'packages-of-node',
    setup: ({ onResolve, resolve }) =>
      onResolve({ filter: /^[^./]/ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
        if (kind === 'entry-point' || pluginData === findsIt) return undefined;
        if (!found.has(path)) {
          const { errors } = await resolve(path, { kind, importer, resolveDir, pluginData: findsIt });
          // Without esbuild's advice, which is about bundles.
          if (errors.length > 0) return { errors: errors.map(({ text }) => ({ text })) };
          found.add(path);
        }
        return { path, external: true };
      }),
  };
}

/** Returns an output and those that it imports, directly or not. */
function withImports(output: string, { outputs }: Metafile): readonly string[] {
  const found = new Set([output]);
  for (const path of found) {
    for (const each of outputs[path]?.imports ?? []) if (!each.external) found.add(each.path);
  }
  return [...found];
}

/** A package that is left out of a bundle is missing when the function is deployed. */
const isUseful = ({ text }: Note) => !text.startsWith('You can mark the path');

async function throwMistakes(built: readonly PromiseSettledResult<unknown>[]): Promise<void> {
  const failures = built.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  if (failures.length === 0) return;
  const errors = failures.flatMap((failure: BuildFailure) =>
    failure.errors.map(({ notes, ...error }) => ({
      ...error,
      pluginName: '',
      notes: notes.filter(isUseful),
    })),
  );
  // A mistake in a shared module is one of each bundle.
  const messages = new Set(await formatMessages(errors, { kind: 'error' }));
  throw new SourceError([...messages].join('').trim());
}
