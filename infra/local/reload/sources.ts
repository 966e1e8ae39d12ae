import { type BuildFailure, formatMessages, type Message, stop } from 'esbuild';
import { printableLine } from '../../../shared/text/printable.ts';
import { projectRoot } from '../../project-root.ts';
import { bundledFiles, bundleOptions } from '../../service/bundle-options.ts';
import { handlerSource } from '../lambda/handler-source.ts';
import type { Deployment } from '../template/deployment.ts';
import { readCode, storeCode } from './code-store.ts';
import { type IncrementalBuild, incrementalBuild } from './incremental-build.ts';
import { SourceError } from './source-error.ts';

export type Sources = ReturnType<typeof openSources>;

interface Bundle {
  readonly directory: string;
  /** When the sources were read. */
  readonly builtAt: number;
}

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
  /** The latest bundles, by the file of the handler. */
  const bundles = new Map<string, Bundle>();
  let circles: ReadonlySet<string> = new Set();
  // esbuild runs in a child process.
  process.once('exit', stop);

  /** Opens builds for new handlers, and closes those of handlers that are gone. */
  async function findHandlers(): Promise<void> {
    const files = bundledFiles();
    for (const file of files) {
      if (handlers.has(file)) continue;
      handlers.set(file, incrementalBuild({ ...bundleOptions, entryPoints: [file], entryNames: 'index' }));
    }
    for (const [file, build] of handlers) {
      if (files.includes(file)) continue;
      handlers.delete(file);
      bundles.delete(file);
      await build.dispose();
    }
  }

  async function bundle(file: string, build: IncrementalBuild): Promise<void> {
    const builtAt = performance.now();
    bundles.set(file, { directory: storeCode(directory, await build.rebuild()), builtAt });
  }

  /**
   * Builds what changed files are a part of, by default everything.
   *
   * @throws {SourceError} with the mistakes in the sources, in esbuild's words
   */
  async function build(changed?: readonly string[]): Promise<void> {
    await findHandlers();
    const isChanged = (built: IncrementalBuild) => changed?.some(built.reads) ?? true;
    const builds: Promise<unknown>[] = [];
    for (const [file, handler] of handlers) if (isChanged(handler)) builds.push(bundle(file, handler));
    if (isChanged(app)) builds.push(app.rebuild());

    const results = await Promise.allSettled(builds);
    const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []));
    if (failures.length > 0) throw await sourceError(failures);
    warnOfCircles();
  }

  /** The error that follows from a circular import names none of its files. Each one is reported once. */
  function warnOfCircles(): void {
    const found = [app, ...handlers.values()].flatMap((built) => built.circularImport()?.join(' → ') ?? []);
    for (const circle of new Set(found).difference(circles)) {
      console.error(`Circular import, whose modules may fail to load: ${printableLine(circle)}`);
    }
    circles = new Set(found);
  }

  return {
    build,

    /** Returns whether the CDK app reads one of the files. */
    areReadByApp: (files: readonly string[]): boolean =>
      files.some((file) => app.reads(file) || mayBeAsset(file)),

    /** Returns the mistakes in the sources that esbuild finds, or else the error. */
    async explain(error: unknown): Promise<unknown> {
      try {
        await build();
        return error;
      } catch (mistakes) {
        return mistakes;
      }
    },

    /**
     * Returns a deployment that runs the bundles built since it was synthesized.
     *
     * @param synthesizedAt when the synthesis began
     */
    withBundles(deployment: Deployment, synthesizedAt: number): Deployment {
      const functions = deployment.functions.map((declared) => {
        const { codeDirectory } = declared;
        const source = handlerSource(codeDirectory);
        if (source === undefined) return declared;
        const bundled = bundles.get(source);
        if (bundled && bundled.builtAt > synthesizedAt) {
          return { ...declared, codeDirectory: bundled.directory };
        }
        return { ...declared, codeDirectory: storeCode(directory, readCode(codeDirectory)) };
      });
      return { ...deployment, functions };
    },
  };
}

/** A file that a construct may read. Those of the reference are read when the page is shown. */
const mayBeAsset = (file: string) => !/\.ts$|^infra\/reference\//.test(file);

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
