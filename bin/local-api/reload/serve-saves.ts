import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { handlerSource } from '../lambda/handler-source.ts';
import type { StartFailure } from '../lambda/lambda-function.ts';
import { withoutForeignFrames } from '../own-frames.ts';
import { type Bundles, type LiveProject, RestartError, SourceError } from '../project.ts';
import type { Deployment } from '../template/deployment.ts';
import { printable, printableLine } from '../text/printable.ts';
import { readerOf, type SourceBuild, sourceBuilder } from './build-sources.ts';
import { typeChecker } from './check-types.ts';
import { watchSources } from './watch-sources.ts';

/** Waits for the other files of a burst, such as a checkout, and until temporary files are gone. */
const settleMs = 60;

/** A reload that takes longer is announced. */
const announceMs = 1000;

/** How soon after a save its mistake is printed: Git removes a file before it writes it anew, others empty it. */
const defaultMistakeMs = 1000;

/** How many files a message names: a checkout may change hundreds. */
const maxNames = 6;

/** What serves one deployment after another. */
export interface LiveApi {
  /** Serves a deployment whole, or not at all: then it returns why. */
  deploy(next: Deployment, signal: AbortSignal): Promise<readonly StartFailure[]>;
}

interface LiveOptions {
  /** Where to keep bundles. */
  readonly directory: string;
  readonly synthesize: (bundles: Bundles, signal: AbortSignal) => Promise<Deployment>;
  /** Serves the first deployment. */
  readonly start: (first: Deployment) => Promise<LiveApi>;
  readonly mistakeMs?: number;
}

/**
 * Serves the sources of a project as soon as they have no mistakes, and then each save: whole, or not at all. One
 * version is made at a time. A newer save ends that, and takes over its changes.
 */
export async function serveSaves(project: LiveProject, options: LiveOptions): Promise<never> {
  const { mistakeMs = defaultMistakeMs } = options;
  const build = sourceBuilder(project, options.directory);
  const checkTypes = typeChecker(project.root);
  /** The files that are not served as they are. */
  const saves = new Set<string>();
  let savedAt = 0;
  let newest = new AbortController();
  let api: LiveApi | undefined;
  /** What is served, once it is. */
  let served: { readonly built: SourceBuild; readonly deployment: Deployment } | undefined;

  await watchSources(project, (file) => {
    saves.add(file);
    savedAt = performance.now();
    newest.abort();
  });
  for (;;) {
    newest = new AbortController();
    const { signal } = newest;
    const changes = takeSaves();
    if (!served || changes.length > 0) await makeVersion(changes, signal);
    if (!signal.aborted) await once(signal, 'abort');
    await pause(settleMs);
  }

  /** Returns the changes to serve: temporary files are gone, and modules of this process need a restart. */
  function takeSaves(): readonly string[] {
    const read = new Set([...(served?.built.inputs.values() ?? [])].flat());
    const files = [...saves].filter((file) => existsSync(join(project.root, file)) || read.has(file));
    saves.clear();
    const own = files.filter((file) => project.ofServer.test(file));
    if (own.length > 0) console.error(`Restart to apply the change: ${namesOf(own)}`);
    return files.filter((file) => !own.includes(file));
  }

  /** Serves the sources as they are, or leaves their changes to the next save. Then it checks the types. */
  async function makeVersion(changes: readonly string[], signal: AbortSignal): Promise<void> {
    async function fail(error: unknown): Promise<undefined> {
      for (const file of changes) saves.add(file);
      const wait = Math.max(0, savedAt + mistakeMs - performance.now());
      await pause(wait, undefined, { signal }).then(
        () => reportFailure(error, changes),
        () => undefined,
      );
    }

    const built = await build(changes, served?.built).catch(fail);
    // TypeScript would print the mistakes that esbuild finds once more.
    if (!built) return;
    await serve(built, changes, signal).catch(fail);
    await checkTypes(signal).catch(
      (error) => signal.aborted || console.error(`The types can't be checked: ${printableLine(`${error}`)}`),
    );
  }

  /** Serves what was built, with a new stack if that reads any change. */
  async function serve(built: SourceBuild, changes: readonly string[], signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const startedAt = savedAt;
    const synthesize = () => options.synthesize(built.bundles, signal);
    if (!served) return deploy(built, await synthesize(), signal);

    using _announcement = setTimeout(() => console.error('Reloading…'), announceMs);
    const builds = [served.built, built];
    const read = Map.groupBy(changes, (file) => readerOf(file, project, builds));
    read.delete(undefined);
    const names = namesOf([...read.values()].flat());
    if (read.has('stack') || read.has('functions')) {
      await deploy(built, read.has('stack') ? await synthesize() : served.deployment, signal);
      const seconds = (performance.now() - startedAt) / 1000;
      console.error(`Reloaded in ${seconds.toFixed(1)} s: ${names}`);
    } else if (read.has('requests')) console.error(`Read at the next request: ${names}`);
  }

  /** @throws {SourceError} if the deployment is not served, with the reason */
  async function deploy(built: SourceBuild, deployment: Deployment, signal: AbortSignal): Promise<void> {
    const next = withBundles(deployment, built, project);
    if (api) {
      const failures = await api.deploy(next, signal);
      if (failures.length > 0) throw startError(failures, project.root);
    } else api = await options.start(next);
    served = { built, deployment };
  }

  /** Names files, which may contain anything. */
  function namesOf(files: readonly string[]): string {
    const names = files
      .toSorted()
      .slice(0, maxNames)
      .map((file) => (existsSync(join(project.root, file)) ? file : `${file} (removed)`));
    const others = files.length - maxNames;
    return printableLine(`${names.join(', ')}${others > 0 ? ` and ${others} more` : ''}`);
  }

  function reportFailure(error: unknown, changes: readonly string[]): void {
    console.error(printable(error instanceof Error ? error.message : String(error)));
    if (error instanceof RestartError) return;
    const outcome = `Not reloaded: ${namesOf(changes)}. The last good version serves.`;
    console.error(served ? outcome : 'Waiting for a change.');
  }
}

/** Returns a deployment whose functions run the bundles of a build. */
function withBundles(deployment: Deployment, { bundles }: SourceBuild, project: LiveProject): Deployment {
  const functions = deployment.functions.map((declared) => {
    const source = handlerSource(declared, project) ?? '';
    return { ...declared, codeDirectory: bundles.get(source) ?? declared.codeDirectory };
  });
  return { ...deployment, functions };
}

/** Returns the error of functions that fail to start. A mistake in a shared module fails several of them. */
function startError(failures: readonly StartFailure[], root: string): SourceError {
  const handlers = Map.groupBy(failures, ({ error: { errorType, errorMessage, stackTrace } }) =>
    withoutForeignFrames([`${errorType}: ${errorMessage}`, ...stackTrace].join('\n'), root),
  );
  const texts = [...handlers].map(([text, failed]) => {
    const names = failed.map(({ handler }) => handler).toSorted();
    return `${names.join(', ')} can't start:\n${text}`;
  });
  return new SourceError(texts.join('\n'));
}
