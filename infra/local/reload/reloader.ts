import { setTimeout as pause } from 'node:timers/promises';
import pLimit from 'p-limit';
import { printable, printableLine } from '../../../shared/text/printable.ts';
import type { StartFailure } from '../lambda/local-function.ts';
import type { Deployment } from '../template/deployment.ts';
import type { Sources } from './sources.ts';
import { startError } from './start-error.ts';

/** Waits for the other files of a burst, such as a checkout, and for a second save that chokidar misses. */
const settleMs = 60;

/** A reload that takes longer is announced. */
const announceMs = 400;

/** How long a synthesis may take, at least, before newer saves end it again. */
const minPatienceMs = 5000;

/** How many files a message names: a checkout may change hundreds. */
const maxNames = 6;

/** What serves deployments, and returns why functions fail to start. */
export interface LiveApi {
  /** Serves a new stack, unless a function fails to start. */
  deploy(deployment: Deployment): Promise<readonly StartFailure[]>;
  /** Returns the file of the handler that was invoked last, if any was. */
  lastInvoked(): string | undefined;
  /** Prepares to start some functions, which are being built, or none. */
  expectFunctions(count: number): void;
  /** Serves other functions of the same stack, except those that fail to start. */
  deployFunctions(deployment: Deployment): Promise<readonly StartFailure[]>;
}

interface ReloaderOptions extends LiveApi {
  readonly sources: Sources;
  readonly synthesize: (signal: AbortSignal) => Promise<Deployment>;
  readonly checkTypes: (signal: AbortSignal) => Promise<string>;
}

/** Whether a file is a module of this process, which only a restart replaces. */
const isServer = (file: string) =>
  /^(?=.*\.m?[jt]s$)(bin\/(?!pet-store\.ts)|infra\/local\/|infra\/service\/bundle-options\.ts)/.test(file);

export type Reloader = ReturnType<typeof createReloader>;

/** Files, with the time of their last save. */
type Saves = Map<string, number>;

type Readers = Pick<ReturnType<Sources['readersOf']>, 'app' | 'functions'>;

interface Synthesis {
  readonly startedAt: number;
  readonly abort: AbortController;
}

/** What is done of a reload: the handlers that run their new bundle, and those that did not start. */
interface Progress {
  reloaded: readonly string[];
  failures: readonly StartFailure[];
}

/** In place of the time of a save whose build failed. */
const failed = Number.NEGATIVE_INFINITY;

/**
 * Serves what is saved, in place. A save rebuilds the bundles that it is a part of, which are served as soon as
 * they have started. If the CDK app reads the file, the stack is then synthesized, with which functions are served
 * that fail to start without it. On failure, the last version stays.
 */
export function createReloader(options: ReloaderOptions) {
  const { sources, synthesize, deploy, lastInvoked, expectFunctions, deployFunctions, checkTypes } = options;
  const saves: Saves = new Map();
  /** Those that the next synthesis applies. */
  const stackSaves: Saves = new Map();
  /** Those that functions run, whether the stack does or not. */
  let inFunctions: ReadonlySet<string> = new Set();
  /** The last synthesis that succeeded. */
  let latest: { readonly deployment: Deployment; readonly startedAt: number } | undefined;
  /** After a failure, any save may repair the stack. */
  let isStackBroken = true;
  let isBuilding = false;
  let synthesis: Synthesis | undefined;
  /** How long the last synthesis took that succeeded. */
  let usualMs = 0;
  let isRestarted = false;
  /** Whether esbuild can't build the sources. */
  let hasMistakes = false;
  let isCheckDue = false;
  /** Those that no check of the types has seen to its end. */
  const unchecked: Saves = new Map();
  let typeCheck = new AbortController();
  let hasTypeErrors = false;
  let announcement: NodeJS.Timeout | undefined;
  const inTurn = pLimit(1);

  async function buildSaves(): Promise<void> {
    isBuilding = true;
    while (saves.size > 0) {
      await pause(settleMs);
      await inTurn(() => build(take(saves)));
    }
    isBuilding = false;
    expectFunctions(0);
    rest();
  }

  async function build(saved: Saves): Promise<void> {
    const { app, functions, any } = sources.readersOf([...stackSaves.keys(), ...saved.keys()]);
    const present = withOnly(saved, (file) => any.has(file) || sources.exists(file));
    merge(unchecked, present);
    // Any file may be what a broken stack lacks.
    const changes = isStackBroken ? present : withOnly(saved, (file) => any.has(file));
    if (changes.size > 0) await apply(changes, { app, functions });
  }

  async function apply(changes: Saves, { app, functions }: Readers): Promise<void> {
    const files = [...changes.keys()];
    if (isStackBroken || stackSaves.size > 0 || app.length > 0) merge(stackSaves, changes);
    const progress: Progress = { reloaded: [], failures: [] };
    inFunctions = inFunctions.difference(changes);
    try {
      await serveFunctions(files, { app, functions }, progress);
      hasMistakes = false;
    } catch (error) {
      hasMistakes = true;
      stopCounting(stackSaves, files);
      return reportFailedBuild(error, changes, progress.reloaded);
    }
    const { failures } = progress;
    // The stack that is due may be what they need to start.
    if (synthesis && failures.length > 0) merge(stackSaves, changes);
    if (stackSaves.size > 0) void applyToStack();
    else if (failures.length > 0) reportFailedStart(failures, changes);
    else reportSuccess(changes);
  }

  /** Builds what some files are a part of, and serves it. What it has done shows even if it fails. */
  async function serveFunctions(
    files: readonly string[],
    { app, functions }: Readers,
    progress: Progress,
  ): Promise<void> {
    // Functions may need a change that is only in the stack.
    const areForNewStack = app.some((file) => !functions.includes(file));
    const built: string[] = [];
    // What was invoked last is probably invoked next, so it does not wait for the others.
    for await (const bundles of sources.buildBundles(files, lastInvoked())) {
      if (!latest || areForNewStack) continue;
      sources.serve(bundles);
      built.push(...bundles.keys());
      // It tries again to start those that failed.
      const failures = await deployFunctions(sources.withBundles(latest.deployment, latest.startedAt));
      const notStarted = failures.map(({ handler }) => handler);
      progress.failures = failures;
      progress.reloaded = built.filter((handler) => !notStarted.includes(handler));
    }
    if (built.length > 0 && progress.failures.length === 0) {
      inFunctions = inFunctions.union(new Set(functions));
    }
  }

  async function applyToStack(): Promise<void> {
    if (synthesis) return endSynthesis(synthesis);
    do {
      synthesis = { startedAt: performance.now(), abort: new AbortController() };
      await synthesizeStack(take(stackSaves), synthesis.abort.signal);
    } while (stackSaves.size > 0);
    synthesis = undefined;
    rest();
  }

  /**
   * Ends a synthesis that newer saves wait for: at once if it is the first, but the next one only after it has
   * taken far longer than usual, as in an endless loop. So successive saves can't starve the stack.
   */
  function endSynthesis({ startedAt, abort }: Synthesis): void {
    const patienceMs = isRestarted ? Math.max(minPatienceMs, 3 * usualMs) : 0;
    const waitedMs = performance.now() - startedAt;
    setTimeout(() => abort.abort(), Math.max(0, patienceMs - waitedMs));
    isRestarted = true;
  }

  async function synthesizeStack(changes: Saves, signal: AbortSignal): Promise<void> {
    try {
      if (latest) await inTurn(sources.buildApp);
      const startedAt = performance.now();
      const deployment = await synthesize(signal);
      usualMs = performance.now() - startedAt;
      await inTurn(async () => {
        const failures = await deploy(sources.withBundles(deployment, startedAt));
        if (failures.length > 0) throw startError(failures);
        latest = { deployment, startedAt };
      });
      isStackBroken = false;
      isRestarted = false;
      reportSuccess(changes);
    } catch (error) {
      if (signal.aborted) return merge(stackSaves, changes);
      isStackBroken = true;
      isRestarted = false;
      const explained = await inTurn(() => sources.explain(error));
      hasMistakes = explained !== error;
      // Type errors may be the cause, at the start too.
      isCheckDue = true;
      const next = latest ? 'The last good stack keeps running.' : 'Waiting for a change.';
      reportFailure(explained, changes, next, inFunctions);
    }
  }

  /** Announces a slow reload while it runs. */
  function announce(): void {
    announcement ??= setTimeout(() => console.error('Reloading…'), announceMs);
  }

  /** Once nothing is left to reload, checks the types. */
  function rest(): void {
    if (isBuilding || synthesis) return;
    clearTimeout(announcement);
    announcement = undefined;
    // TypeScript would print the mistakes that esbuild has found once more.
    if (hasMistakes || !isCheckDue) return;
    isCheckDue = false;
    typeCheck = new AbortController();
    const { signal } = typeCheck;
    checkTypes(signal).then(
      (errors) => signal.aborted || reportTypes(errors),
      (error) => signal.aborted || console.error(`The types can't be checked: ${printableLine(`${error}`)}`),
    );
  }

  /** Says which saves the errors follow: they come seconds after the reload. */
  function reportTypes(errors: string): void {
    const saved = take(unchecked);
    const cause = saved.size === 0 ? '' : ` after the save of ${namesOf(saved)}`;
    const count = errors.match(/(^|: )error TS\d+/gm)?.length ?? 0;
    const found = count === 1 ? '1 type error' : `${count || 'No'} type errors`;
    if (errors !== '') console.error(`${found}${cause}:\n${printable(errors)}`);
    else if (hasTypeErrors) console.error(`${found}${cause}.`);
    hasTypeErrors = errors !== '';
  }

  return {
    /** Serves the stack for the first time, when its sources have no mistakes. */
    async start(): Promise<void> {
      await applyToStack();
      // The first save then finds every build open.
      // A mistake that was saved meanwhile is reported by its own reload.
      if (!isStackBroken) await inTurn(() => sources.build()).catch(() => undefined);
    },

    /** Reloads a file that was saved, added or removed; `file` is its path in the project. */
    reload(file: string): void {
      if (isServer(file)) {
        console.error(`Restart npm run dev to apply the change: ${printableLine(file)}`);
        return;
      }
      typeCheck.abort();
      isCheckDue = true;
      announce();
      saves.set(file, performance.now());
      expectFunctions(sources.countBundles([...saves.keys()]));
      if (!isBuilding) void buildSaves();
    },
  };
}

function take(saves: Saves): Saves {
  const taken = new Map(saves);
  saves.clear();
  return taken;
}

function merge(saves: Saves, others: Saves): void {
  for (const [file, savedAt] of others) saves.set(file, Math.max(savedAt, saves.get(file) ?? savedAt));
}

const withOnly = (saves: Saves, isIncluded: (file: string) => boolean): Saves =>
  new Map([...saves].filter(([file]) => isIncluded(file)));

/** What repairs the files is a later save, from which their reload counts. */
function stopCounting(saves: Saves, files: readonly string[]): void {
  for (const file of files) if (saves.has(file)) saves.set(file, failed);
}

/** Returns the names of some files, which are untrusted: they may contain anything. */
function namesOf(changes: Saves): string {
  const files = [...changes.keys()];
  const others = files.length - maxNames;
  const named = printableLine(files.slice(0, maxNames).join(', '));
  return others > 0 ? `${named} and ${others} more` : named;
}

function reportSuccess(changes: Saves): void {
  if (changes.size === 0) return;
  const times = [...changes.values()].filter((time) => time !== failed);
  const seconds = (performance.now() - Math.min(...times)) / 1000;
  console.error(`Reloaded in ${seconds.toFixed(1)} s: ${namesOf(changes)}`);
}

/** Says which handlers were reloaded before the mistake of another one was found. */
function reportFailedBuild(error: unknown, changes: Saves, reloaded: readonly string[]): void {
  const except = reloaded.length > 0 ? `, except in ${printableLine(reloaded.join(', '))}` : '';
  reportFailure(error, changes, `The last good version keeps running${except}.`);
}

/** The functions that fail to start, because of one of the changes, go on with their last version. */
function reportFailedStart(failures: readonly StartFailure[], changes: Saves): void {
  const handlers = failures
    .map(({ handler }) => handler)
    .toSorted()
    .join(', ');
  const saved = namesOf(changes);
  const cause = handlers === saved ? '' : `, after the save of ${saved}`;
  console.error(printable(startError(failures).message));
  console.error(`Not reloaded: ${printableLine(handlers)}${cause}. The last good version keeps running.`);
}

/** Says what is not reloaded, or only in functions: the stack, or everything, goes on with its last version. */
function reportFailure(
  error: unknown,
  changes: Saves,
  next: string,
  inFunctions: ReadonlySet<string> = new Set(),
): void {
  const partly = withOnly(changes, (file) => inFunctions.has(file));
  const not = withOnly(changes, (file) => !inFunctions.has(file));
  const outcomes: string[] = [];
  if (not.size > 0) outcomes.push(`Not reloaded: ${namesOf(not)}.`);
  if (partly.size > 0) outcomes.push(`Reloaded only in functions: ${namesOf(partly)}.`);
  console.error(printable(error instanceof Error ? error.message : String(error)));
  console.error([...outcomes, next].join(' '));
}
