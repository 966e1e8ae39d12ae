import { existsSync, globSync } from 'node:fs';
import { join, sep } from 'node:path';
import { type BuildFailure, formatMessages, type Message, stop } from 'esbuild';
import { printableLine } from '../../../shared/text/printable.ts';
import { projectRoot } from '../../project-root.ts';
import { bundledFiles, bundleOptions } from '../../service/bundle-options.ts';
import { handlerSource } from '../lambda/handler-source.ts';
import type { Deployment } from '../template/deployment.ts';
import { readCode, storeCode } from './code-store.ts';
import { type IncrementalBuild, incrementalBuild } from './incremental-build.ts';
import { SourceError } from './source-error.ts';
import { sourceFolders } from './watch-sources.ts';

export type Sources = ReturnType<typeof openSources>;

interface Bundle {
  readonly directory: string;
  /** When the sources were read. */
  readonly builtAt: number;
}

/** By the file of the handler. */
export type Bundles = ReadonlyMap<string, Bundle>;

/** Opens the sources of the project, which are built incrementally. The bundles are kept in a directory. */
export function openSources(directory: string) {
  /** Tells which files the CDK app reads, and finds their errors. Node itself runs the app unbundled. */
  const app = incrementalBuild({
    absWorkingDir: projectRoot,
    entryPoints: ['bin/pet-store.ts'],
    outdir: projectRoot,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
  });
  const handlers = new Map<string, IncrementalBuild>();
  /** The latest bundles that functions run, by the file of the handler. */
  const served = new Map<string, Bundle>();
  /** The files that a construct may have read: it notices when they are gone. */
  let assets: ReadonlySet<string> = new Set();
  let circles: ReadonlySet<string> = new Set();
  // esbuild runs in a child process.
  process.once('exit', stop);

  /** Finds assets and handlers: opens builds for new handlers, and closes those of handlers that are gone. */
  async function findFiles(): Promise<void> {
    const files = bundledFiles();
    assets = new Set(sourceFiles().filter(mayBeAsset));
    for (const file of files) {
      if (handlers.has(file)) continue;
      handlers.set(file, incrementalBuild({ ...bundleOptions, entryPoints: [file], entryNames: 'index' }));
    }
    for (const [file, build] of handlers) {
      if (files.includes(file)) continue;
      handlers.delete(file);
      await build.dispose();
    }
  }

  /** Returns the handlers whose bundles files are a part of, each with its build. */
  const buildsOf = (files: readonly string[]) => [...handlers].filter(([, build]) => files.some(build.reads));

  async function buildBundle(file: string, build: IncrementalBuild): Promise<[string, Bundle]> {
    const builtAt = performance.now();
    return [file, { directory: storeCode(directory, await build.rebuild()), builtAt }];
  }

  /**
   * Builds the bundles that changed files are a part of: first that of one handler, then the others.
   *
   * @throws {SourceError} with the mistakes in the sources, in esbuild's words
   */
  async function* buildBundles(changed: readonly string[], first?: string): AsyncGenerator<Bundles> {
    await findFiles();
    const groups = Object.groupBy(buildsOf(changed), ([file]) => (file === first ? 'first' : 'others'));
    for (const group of [groups.first, groups.others]) {
      if (group) yield new Map(await built(group.map(([file, build]) => buildBundle(file, build))));
    }
  }

  /**
   * Builds everything, but serves nothing.
   *
   * @throws {SourceError} with the mistakes in the sources, in esbuild's words
   */
  async function build(): Promise<void> {
    await findFiles();
    await built([app, ...handlers.values()].map((each) => each.rebuild()));
  }

  /** Waits for builds, and reports the circular imports that they find. */
  async function built<T>(builds: readonly Promise<T>[]): Promise<readonly T[]> {
    const results = await Promise.allSettled(builds);
    const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    if (failures.length > 0) throw await sourceError(failures);
    warnOfCircles();
    return results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  }

  /** The error that follows from a circular import names none of its files. Each one is reported once. */
  function warnOfCircles(): void {
    const found = [app, ...handlers.values()].flatMap((build) => build.circularImport()?.join(' → ') ?? []);
    for (const circle of new Set(found).difference(circles)) {
      console.error(`Circular import, whose modules may fail to load: ${printableLine(circle)}`);
    }
    circles = new Set(found);
  }

  return {
    buildBundles,

    /**
     * Finds the mistakes of the CDK app.
     *
     * @throws {SourceError} with the mistakes, in esbuild's words
     */
    async buildApp(): Promise<void> {
      await built([app.rebuild()]);
    },

    /**
     * Returns which of some files the CDK app reads, from which of them functions are built, and which of them
     * anything reads, even if that is only the reference. A temporary file is gone before anything could read it.
     */
    readersOf(files: readonly string[]) {
      // The app bundles each handler that exists.
      const newOrGone = new Set(bundledFiles()).symmetricDifference(handlers);
      const isAsset = (file: string) => mayBeAsset(file) && (assets.has(file) || exists(file));
      const ofApp = files.filter((file) => app.reads(file) || newOrGone.has(file) || isAsset(file));
      const ofFunctions = files.filter((file) => handlers.values().some((build) => build.reads(file)));
      const ofReference = files.filter((file) => ofReferenceOnly.test(file) && exists(file));
      return {
        app: ofApp,
        functions: ofFunctions,
        any: new Set([...ofApp, ...ofFunctions, ...ofReference]),
      };
    },

    exists,

    /** Returns how many bundles some files are a part of. */
    countBundles: (files: readonly string[]): number => buildsOf(files).length,

    build,

    /** Returns the mistakes in the sources that esbuild finds, or else the error. */
    async explain(error: unknown): Promise<unknown> {
      try {
        await build();
        return error;
      } catch (mistakes) {
        return mistakes;
      }
    },

    /** From now on, functions run bundles, until they are synthesized. */
    serve(bundles: Bundles): void {
      for (const [file, bundle] of bundles) served.set(file, bundle);
    },

    /**
     * Returns a deployment that runs the served bundles that were built since it was synthesized.
     *
     * @param synthesizedAt when the synthesis began
     */
    withBundles(deployment: Deployment, synthesizedAt: number): Deployment {
      const functions = deployment.functions.map((declared) => {
        const { codeDirectory } = declared;
        const source = handlerSource(codeDirectory);
        if (source === undefined) return declared;
        const bundled = served.get(source);
        if (bundled && bundled.builtAt > synthesizedAt) {
          return { ...declared, codeDirectory: bundled.directory };
        }
        return { ...declared, codeDirectory: storeCode(directory, readCode(codeDirectory)) };
      });
      return { ...deployment, functions };
    },
  };
}

/** Returns the files of the folders that are watched. */
const sourceFiles = (): string[] =>
  globSync(`{${sourceFolders}}/**`, { cwd: projectRoot }).map((file) => file.replaceAll(sep, '/'));

/** Is read when the reference is shown. */
const ofReferenceOnly = /^infra\/reference\//;

/** A file that a construct may read. */
const mayBeAsset = (file: string) => !file.endsWith('.ts') && !ofReferenceOnly.test(file);

/** Whether a file of the project exists. */
const exists = (file: string) => existsSync(join(projectRoot, file));

/** A mistake in a shared module fails several builds, but is reported once. */
async function sourceError(failures: readonly (Error | BuildFailure)[]): Promise<Error> {
  const messages = new Map<string, Message>();
  for (const failure of failures) {
    if (!('errors' in failure)) return failure;
    for (const message of failure.errors) messages.set(JSON.stringify(message), message);
  }
  const formatted = await formatMessages([...messages.values()], { kind: 'error' });
  return new SourceError(formatted.join('').trim());
}
