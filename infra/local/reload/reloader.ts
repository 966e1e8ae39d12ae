import { isDeepStrictEqual } from 'node:util';
import type { Deployment } from '../template/deployment.ts';
import { printable, printableLine } from '../text/printable.ts';
import { inBatches } from './batches.ts';
import type { HandlerBundles } from './handler-bundles.ts';

/** Where a reloader gets a deployment from, and what it hands it to. */
export interface ReloaderOptions {
  /** As synthesized. */
  readonly deployment: Deployment;
  readonly bundles: HandlerBundles;
  /** Synthesizes the stack again. */
  readonly synthesize: () => Promise<Deployment>;
  /** Serves a deployment in place of the last one. */
  readonly deploy: (deployment: Deployment) => Promise<void>;
}

/** Whether a file is a module of this process, which only a restart replaces. */
const isServer = (file: string) =>
  /^(bin\/(?!pet-store\.ts)|infra\/local\/|infra\/service\/bundle-options\.ts)/.test(file);

/**
 * Serves changed sources in place. Handlers are rebuilt and replaced first; then the stack is synthesized, and served if
 * it differs. Whatever fails is reported, and the last good version keeps running.
 */
export class Reloader {
  readonly #options: ReloaderOptions;
  #deployment: Deployment;
  #deployed: Promise<void> = Promise.resolve();

  constructor(options: ReloaderOptions) {
    this.#options = options;
    this.#deployment = options.deployment;
  }

  /** Reloads what a changed file affects, `file` being its path in the project. */
  readonly change = inBatches(async (files) => {
    const server = new Set([...files].filter(isServer));
    if (server.size > 0) console.error(`Restart npm run dev to apply the change: ${listed(server)}`);
    const sources = files.difference(server);
    if (sources.size === 0) return;

    const isGood = await report(sources, async () => {
      if (!(await this.#options.bundles.rebuild(sources))) return false;
      await this.#deploy();
      return true;
    });
    if (isGood) for (const file of sources) void this.#resynthesize(file);
  });

  readonly #resynthesize = inBatches(async (files) => {
    await report(files, async () => {
      const { synthesize, bundles } = this.#options;
      const deployment = await synthesize();
      await bundles.add(deployment);
      if (isDeepStrictEqual(bundles.latest(deployment), bundles.latest(this.#deployment))) return false;
      await this.#deploy(deployment);
      return true;
    });
  });

  /** Serves a deployment with the latest bundles, after the one before it is served. */
  #deploy(deployment?: Deployment): Promise<void> {
    const { bundles, deploy } = this.#options;
    const deployed = this.#deployed
      .catch(() => undefined)
      .then(() => deploy(bundles.latest(deployment ?? this.#deployment)))
      .then(() => {
        this.#deployment = deployment ?? this.#deployment;
      });
    this.#deployed = deployed;
    return deployed;
  }
}

/** Runs and reports a reload; `reload` returns whether anything changed. Returns whether it succeeded. */
async function report(files: ReadonlySet<string>, reload: () => Promise<boolean>): Promise<boolean> {
  const startedAt = performance.now();
  try {
    const isChanged = await reload();
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    if (isChanged) console.error(`Reloaded in ${seconds} s: ${listed(files)}`);
    return true;
  } catch (error) {
    console.error(printable(error instanceof Error ? error.message : String(error)));
    console.error(`Not reloaded: ${listed(files)}. The last good version keeps running.`);
    return false;
  }
}

/** File names are from outside: they may contain anything. */
const listed = (files: ReadonlySet<string>) => printableLine([...files].join(', '));
