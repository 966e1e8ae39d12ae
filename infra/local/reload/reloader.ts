import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Deployment } from '../template/deployment.ts';
import { printable, printableLine } from '../text/printable.ts';
import type { HandlerBundles } from './handler-bundles.ts';

/** Waits for the other files of a burst, such as a checkout. */
const settleMs = 10;

/** How long replaced functions may start before a synthesis takes the CPU. */
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

/** Serves changed sources in place: handlers first, then the stack. On failure, the last version stays. */
export class Reloader {
  readonly #options: ReloaderOptions;
  /** As synthesized, without the latest bundles. */
  #deployment: Deployment;
  #served: Deployment;
  #changed = new Set<string>();
  #synthesis: AbortController | undefined;
  #isRunning = false;

  constructor(options: ReloaderOptions) {
    this.#options = options;
    this.#deployment = options.deployment;
    this.#served = options.bundles.latest(options.deployment);
  }

  /** Reloads what a changed file affects; `file` is its path in the project. */
  readonly change = async (file: string): Promise<void> => {
    if (isServer(file)) {
      console.error(`Restart npm run dev to apply the change: ${printableLine(file)}`);
      return;
    }
    this.#changed.add(file);
    // The synthesis in progress is outdated.
    this.#synthesis?.abort();
    if (this.#isRunning) return;
    this.#isRunning = true;
    while (this.#changed.size > 0) await this.#reload();
    this.#isRunning = false;
  };

  async #reload(): Promise<void> {
    await pause(settleMs);
    const files = this.#changed;
    this.#changed = new Set();
    const synthesis = new AbortController();
    this.#synthesis = synthesis;
    try {
      const { bundles, synthesize } = this.#options;
      await this.#deploy(files, async () => {
        await bundles.build();
        return this.#deployment;
      });
      await pause(startMs, undefined, { signal: synthesis.signal });
      await this.#deploy(files, () => synthesize(synthesis.signal));
    } catch (error) {
      if (synthesis.signal.aborted) {
        this.#changed = files.union(this.#changed);
        return;
      }
      console.error(printable(error instanceof Error ? error.message : String(error)));
      console.error(`Not reloaded: ${listed(files)}. The last good version keeps running.`);
    }
  }

  /** Prepares a deployment and serves it, if it differs from the last. */
  async #deploy(files: ReadonlySet<string>, prepare: () => Promise<Deployment>): Promise<void> {
    const startedAt = performance.now();
    const deployment = await prepare();
    const latest = this.#options.bundles.latest(deployment);
    if (!isDeepStrictEqual(latest, this.#served)) {
      await this.#options.deploy(latest);
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
      console.error(`Reloaded in ${seconds} s: ${listed(files)}`);
    }
    this.#deployment = deployment;
    this.#served = latest;
  }
}

/** File names are untrusted: they may contain anything. */
const listed = (files: ReadonlySet<string>) => printableLine([...files].join(', '));
