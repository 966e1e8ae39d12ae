import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { printableLine } from '../../cli/printable.ts';
import type { LiveProject } from '../project.ts';
import type { Deployment } from '../template/deployment.ts';
import { sourceBuilder } from './build-sources.ts';
import { changesWithStack, readerOf, type SourceBuild } from './changes.ts';
import { typeChecker } from './check-types.ts';
import { earlySynthesis } from './early-synthesis.ts';
import { namesOf, reportMistake, StartTimeout } from './messages.ts';
import { newestRun } from './newest-run.ts';
import { type LiveApi, servedVersion } from './served-version.ts';
import { unservedChanges } from './unserved-changes.ts';
import { watchSources } from './watch-sources.ts';

/** In milliseconds. */
const usualLimits = {
  /** Waits for the other files of a burst, such as a checkout, and until temporary files are gone. */
  settle: 60,
  /** A reload that takes longer is announced. */
  announce: 1000,
  /** How long functions may start before a newer save ends that. */
  functions: 1000,
  /** The same for a stack: to end its synthesis ends a process that has loaded the CDK. */
  stack: 5000,
  /** How soon after a save its mistake is printed: Git removes a file before it writes it anew, others empty it. */
  mistake: 1000,
  /** After this time, functions that did not start in time are started again; it doubles each time. */
  retry: 1000,
};

type Attempt = NonNullable<ReturnType<ReturnType<typeof unservedChanges>['attempt']>>;

type Synthesize = (target: SourceBuild) => Promise<Deployment>;

interface LiveOptions {
  /** Where to keep bundles. */
  readonly directory: string;
  /** Synthesizes the CDK app, given in one module. */
  readonly synthesize: (app: string, signal: AbortSignal) => Promise<Deployment>;
  /** Serves the first deployment. */
  readonly start: (first: Deployment) => Promise<LiveApi>;
  /** Checks the types after a reload, in the background; by default as `tsc` does. */
  readonly checkTypes?: ReturnType<typeof typeChecker>;
  /** In place of the usual limits. */
  readonly limits?: Partial<typeof usualLimits>;
}

/**
 * Serves the sources of a project as soon as they have no mistakes, and then each save: whole, or not at all. What
 * only functions read does not wait for the new stack that another file needs.
 */
export async function serveSaves(project: LiveProject, options: LiveOptions): Promise<never> {
  const { root } = project;
  const { checkTypes = typeChecker(root) } = options;
  const limits = { ...usualLimits, ...options.limits };
  const synthesis = earlySynthesis(options.synthesize);
  const build = sourceBuilder(project, options.directory, synthesis.begin);
  const version = servedVersion(project, options.start);
  /** The files that are not in the last build without mistakes, with the time of their last save. */
  const saves = new Map<string, number>();
  /** Those that are in it. */
  const unserved = unservedChanges();
  unserved.add(new Map([[project.app, 0]]));
  let built: SourceBuild | undefined;
  let newest = new AbortController();
  let check = new AbortController();

  const builds = () => [version.build(), built].filter((each) => each !== undefined);
  const withStack = () => changesWithStack(unserved.batches(), project, builds());

  const serveStack = newestRun(async (signal) => {
    const files = version.build() ? withStack() : unserved.files();
    await serve(files, signal, ({ app }) => synthesis.synthesize(app, signal));
  }, limits.stack);

  const serveFunctions = newestRun(async (signal) => {
    const others = withStack();
    const files = unserved.files().filter((file) => !others.includes(file));
    if (version.build()) await serve(files, signal);
  }, limits.functions);

  await watchSources(project, (file) => {
    saves.set(file, performance.now());
    newest.abort();
    check.abort();
  });
  for (;;) {
    newest = new AbortController();
    const { signal } = newest;
    await buildSaves();
    if (!signal.aborted) await once(signal, 'abort');
    await pause(limits.settle);
  }

  /** Builds the saves, or leaves them to the next one. */
  async function buildSaves(): Promise<void> {
    const { signal } = newest;
    const taken = takeSaves();
    const files = [...taken.keys()];
    if (built && files.length === 0) return;
    try {
      built = await build(files, built);
    } catch (error) {
      return void reportSoon(error, taken, () => !signal.aborted);
    }
    for (const [file, savedAt] of taken) if (saves.get(file) === savedAt) saves.delete(file);
    offer(taken);
  }

  /** Lets files be served that are built. */
  function offer(taken: ReadonlyMap<string, number>): void {
    const files = filesToServe([...taken.keys()]);
    unserved.add(new Map(files.map((file) => [file, taken.get(file) ?? 0])));
    // To ask without need would end what is being served.
    const waiting = withStack();
    if (!version.build() || files.some((file) => waiting.includes(file))) serveStack();
    if (files.some((file) => !waiting.includes(file))) serveFunctions();
    if (files.length === 0) checkTypesAnew();
  }

  function filesToServe(files: readonly string[]): readonly string[] {
    const readBy = Map.groupBy(files, (file) => readerOf(file, project, builds()));
    const onDemand = readBy.get('requests') ?? [];
    if (onDemand.length > 0) console.error(`Read at the next request: ${namesOf(onDemand, root)}`);
    return [...(readBy.get('functions') ?? []), ...(readBy.get('stack') ?? [])];
  }

  /** Returns what to build: temporary files are gone, and modules of this process need a restart. */
  function takeSaves(): ReadonlyMap<string, number> {
    const read = new Set(builds().flatMap(({ inputs }) => [...inputs.values()].flat()));
    const files = [...saves.keys()];
    const own = files.filter((file) => project.ofServer.test(file) && existsSync(join(root, file)));
    if (own.length > 0) console.error(`Restart to apply the change: ${namesOf(own, root)}`);
    for (const file of files) {
      const isTemporary = !existsSync(join(root, file)) && !read.has(file);
      if (isTemporary || project.ofServer.test(file)) saves.delete(file);
    }
    return new Map(saves);
  }

  /** Serves some changes, or leaves them to the next save. */
  async function serve(
    files: readonly string[],
    signal: AbortSignal,
    synthesize?: Synthesize,
  ): Promise<void> {
    let waitMs = limits.retry;
    while (!signal.aborted && (await isTooSlow(files, signal, waitMs > limits.retry, synthesize))) {
      await pause(waitMs, undefined, { signal }).catch(() => undefined);
      waitMs *= 2;
    }
  }

  /** Tries that once, and then checks the types. Returns whether functions did not start in time. */
  async function isTooSlow(
    files: readonly string[],
    signal: AbortSignal,
    isRetry: boolean,
    synthesize?: Synthesize,
  ): Promise<boolean> {
    const attempt = unserved.attempt(files);
    if (!attempt || !built) return false;
    const target = built;
    const isFirst = version.build() === undefined;
    using _announcement = isFirst
      ? undefined
      : setTimeout(() => console.error('Reloading…'), limits.announce);
    try {
      const deployment = await synthesize?.(target);
      await version.serve({ target, files, signal, ...(deployment && { deployment }) });
    } catch (error) {
      if (!signal.aborted) fail(error, attempt, isRetry);
      return error instanceof StartTimeout;
    }
    attempt.succeed();
    if (!isFirst) console.error(`Reloaded in ${secondsSince(attempt.savedAt)} s: ${namesOf(files, root)}`);
    if (synthesize) retryFunctions();
    checkTypesAnew();
    return false;
  }

  /** A new stack may repair what could not start. */
  function retryFunctions(): void {
    unserved.retryAll();
    serveFunctions();
  }

  /** Says once that functions did not start in time. */
  function fail(error: unknown, attempt: Attempt, isRetry: boolean): void {
    const isSlow = error instanceof StartTimeout;
    if (isSlow && isRetry) return;
    if (!isSlow) attempt.fail();
    void reportSoon(error, attempt.taken, attempt.isNewest);
    checkTypesAnew();
  }

  /** Says why changes are not served, unless that is outdated by then. */
  async function reportSoon(
    error: unknown,
    changes: ReadonlyMap<string, number>,
    isNewest: () => boolean,
  ): Promise<void> {
    const savedAt = Math.max(...changes.values());
    await pause(Math.max(0, savedAt + limits.mistake - performance.now()));
    const isSavedAgain = [...changes].some(([file, time]) => (saves.get(file) ?? time) > time);
    if (isSavedAgain || !isNewest()) return;
    reportMistake(error, namesOf([...changes.keys()], root), version.build() !== undefined);
  }

  function checkTypesAnew(): void {
    check.abort();
    check = new AbortController();
    const { signal } = check;
    checkTypes(signal).catch((error: unknown) => {
      if (!signal.aborted) console.error(`The types can't be checked: ${printableLine(`${error}`)}`);
    });
  }
}

const secondsSince = (time: number) => ((performance.now() - time) / 1000).toFixed(1);
