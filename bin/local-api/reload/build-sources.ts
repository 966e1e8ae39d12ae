import { existsSync, globSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import {
  type BuildContext,
  type BuildFailure,
  type BuildOptions,
  context,
  formatMessages,
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
    plugins: [...(bundleOptions.plugins ?? []), snapshot.ofFunctions],
  };
  // To read the SDK takes longer than the rest: both keep it in memory.
  const rebuildAll = rebuilder(() => ofFunctions);
  const rebuildOne = rebuilder(() => ofFunctions);
  const rebuildApp = rebuilder(() => appOptions(project.root, snapshot.ofApp));
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
    const changed = handlers.filter((handler) => readers.includes(handler));

    snapshot.renew();
    const buildOfApp = rebuildApp(readers.includes(app) ? [app] : []).then((outputs) => {
      for (const { files } of outputs) onApp?.(files[0]?.text ?? '');
      return outputs;
    });
    // The app is built sooner than the functions, and synthesized beside them.
    await Promise.allSettled([buildOfApp]);
    const buildOfFunctions = changed.length > 1 ? rebuildAll(handlers) : rebuildOne(changed);
    const builds = await Promise.allSettled([buildOfFunctions, buildOfApp]);
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

/** Returns how to build a CDK app to one module, whose packages and places are those of its sources. */
const appOptions = (root: string, places: Plugin): BuildOptions => ({
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
  // Named, so that one that is not installed is a mistake, with the place of its import.
  external: globSync(['[!@]*', '@*/*'], { cwd: join(root, 'node_modules') }).map((name) =>
    name.replaceAll(sep, '/'),
  ),
  plugins: [places],
});

/** Returns what builds entry points, sooner if they are those of the last build. */
function rebuilder(optionsNow: () => BuildOptions) {
  let opened: BuildContext<{ metafile: true; write: false }> | undefined;
  let openedFor = '';

  return async (entryPoints: readonly string[]): Promise<readonly Output[]> => {
    if (entryPoints.length === 0) return [];
    const options = optionsNow();
    const key = [...entryPoints, ...(options.external ?? [])].join();
    if (!opened || openedFor !== key) {
      await opened?.dispose();
      openedFor = key;
      opened = await context({
        ...options,
        entryPoints: [...entryPoints],
        write: false,
        metafile: true,
        logLevel: 'silent',
      });
    }
    const { metafile, outputFiles } = await opened.rebuild();
    return Object.entries(metafile.outputs).flatMap(([path, { entryPoint, inputs }]) => {
      // Not for a source map.
      if (entryPoint === undefined) return [];
      const files = outputFiles.filter((file) => basename(file.path).startsWith(basename(path)));
      return [{ entryPoint, inputs: Object.keys(inputs), files }];
    });
  };
}

async function throwMistakes(built: readonly PromiseSettledResult<unknown>[]): Promise<void> {
  const failures = built.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
  if (failures.length === 0) return;
  const errors = failures.flatMap((failure: BuildFailure) =>
    failure.errors.map((error) => ({ ...error, pluginName: '' })),
  );
  // A mistake in a shared module is one of each bundle.
  const messages = new Set(await formatMessages(errors, { kind: 'error' }));
  throw new SourceError([...messages].join('').trim());
}
