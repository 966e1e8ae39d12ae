import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Deployment } from '../template/deployment.ts';
import { printable, printableLine } from '../text/printable.ts';
import type { HandlerBundles } from './handler-bundles.ts';

/** Waits for the other files of a burst, such as a checkout. */
const settleMs = 10;

/** How long new functions get to start before synthesis takes the CPU. */
const startMs = 300;

interface ReloaderOptions {
  readonly deployment: Deployment;
  readonly bundles: HandlerBundles;
  readonly synthesize: (signal: AbortSignal) => Promise<Deployment>;
  readonly deploy: (deployment: Deployment) => Promise<void>;
}

/** Whether a file is a module of this process, which only a restart replaces. */
const isServer = (file: string) =>
  /^(bin\/(?!pet-store\.ts)|infra\/local\/|infra\/service\/bundle-options\.ts)/.test(file);

/**
 * Serves changed sources in place: handlers first, then the stack. On failure, the last version stays.
 *
 * @returns a function that reloads what a changed file affects; `file` is its path in the project
 */
export function reloader({ deployment, bundles, synthesize, deploy }: ReloaderOptions) {
  /** As synthesized, without the latest bundles. */
  let synthesized = deployment;
  let served = bundles.latest(deployment);
  let changed = new Set<string>();
  let synthesis = new AbortController();
  let isRunning = false;
  /** Whether "Not reloaded" was the last word. */
  let isBroken = false;

  return async (file: string): Promise<void> => {
    if (isServer(file)) {
      console.error(`Restart npm run dev to apply the change: ${printableLine(file)}`);
      return;
    }
    changed.add(file);
    // The synthesis in progress is outdated.
    synthesis.abort();
    if (isRunning) return;
    isRunning = true;
    while (changed.size > 0) await reload();
    isRunning = false;
  };

  async function reload(): Promise<void> {
    await pause(settleMs);
    const files = changed;
    changed = new Set();
    synthesis = new AbortController();
    const { signal } = synthesis;
    try {
      await serve(files, async () => {
        await bundles.build();
        return synthesized;
      });
      await pause(startMs, undefined, { signal });
      await serve(files, () => synthesize(signal));
      // The repaired sources may be those that are served.
      if (isBroken) console.error(`Reloaded: ${listed(files)}`);
      isBroken = false;
    } catch (error) {
      if (signal.aborted) {
        changed = files.union(changed);
        return;
      }
      isBroken = true;
      console.error(printable(error instanceof Error ? error.message : String(error)));
      console.error(`Not reloaded: ${listed(files)}. The last good version keeps running.`);
    }
  }

  /** Prepares a deployment and serves it, if it differs from the last. */
  async function serve(files: ReadonlySet<string>, prepare: () => Promise<Deployment>): Promise<void> {
    const startedAt = performance.now();
    const prepared = await prepare();
    const latest = bundles.latest(prepared);
    if (!isDeepStrictEqual(latest, served)) {
      await deploy(latest);
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      console.error(`Reloaded in ${seconds} s: ${listed(files)}`);
      isBroken = false;
    }
    synthesized = prepared;
    served = latest;
  }
}

/** File names are untrusted: they may contain anything. */
const listed = (files: ReadonlySet<string>) => printableLine([...files].join(', '));
