import { setTimeout as pause } from 'node:timers/promises';
import { printable, printableLine } from '../../../shared/text/printable.ts';
import type { Deployment } from '../template/deployment.ts';

/** Waits for the other files of a burst, such as a checkout, and for a second save that chokidar misses. */
const settleMs = 60;

interface ReloaderOptions {
  readonly synthesize: (signal: AbortSignal) => Promise<Deployment>;
  readonly deploy: (deployment: Deployment) => Promise<void>;
}

/** Whether a file is a module of this process, which only a restart replaces. */
const isServer = (file: string) => /^(bin\/(?!pet-store\.ts)|infra\/local\/)/.test(file);

/**
 * Serves the stack of the changed sources in place. On failure, the last version stays.
 *
 * @returns a function that reloads a changed file; `file` is its path in the project
 */
export function reloader({ synthesize, deploy }: ReloaderOptions) {
  const changed = new Set<string>();
  let latest = new AbortController();

  return async (file: string): Promise<void> => {
    if (isServer(file)) {
      console.error(`Restart npm run dev to apply the change: ${printableLine(file)}`);
      return;
    }
    const savedAt = performance.now();
    changed.add(file);
    // The synthesis in progress is outdated.
    latest.abort();
    latest = new AbortController();
    const { signal } = latest;

    let failure: Error | undefined;
    try {
      await pause(settleMs, undefined, { signal });
      await deploy(await synthesize(signal));
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error));
    }
    // A newer save reloads this file too.
    if (signal.aborted) return;
    // File names are untrusted: they may contain anything.
    const files = printableLine([...changed].join(', '));
    changed.clear();
    if (failure) {
      console.error(printable(failure.message));
      console.error(`Not reloaded: ${files}. The last good version keeps running.`);
    } else {
      console.error(`Reloaded in ${((performance.now() - savedAt) / 1000).toFixed(1)} s: ${files}`);
    }
  };
}
