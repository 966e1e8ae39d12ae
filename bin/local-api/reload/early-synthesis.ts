import type { Deployment } from '../template/deployment.ts';

type Synthesize = (app: string, signal: AbortSignal) => Promise<Deployment>;

/**
 * Returns what synthesizes versions of a CDK app, of which it can begin one before it is known whether the functions
 * that belong to it have a mistake.
 */
export function earlySynthesis(run: Synthesize) {
  let running = 0;
  let early: { app: string; end: AbortController; deployment: Promise<Deployment> } | undefined;

  async function synthesize(app: string, signal: AbortSignal): Promise<Deployment> {
    running += 1;
    try {
      return await run(app, signal);
    } finally {
      running -= 1;
    }
  }

  return {
    /** Begins with the newest version, unless an older one is running. It replaces one that was begun for nobody. */
    begin(app: string): void {
      early?.end.abort();
      early = undefined;
      if (running > 0) return;
      const end = new AbortController();
      const deployment = synthesize(app, end.signal);
      // Who asks for it gets the error.
      deployment.catch(() => undefined);
      early = { app, end, deployment };
    },

    /** Returns what has begun, if it is of this version. */
    async synthesize(app: string, signal: AbortSignal): Promise<Deployment> {
      if (early?.app !== app) return synthesize(app, signal);
      const { end, deployment } = early;
      early = undefined;
      signal.addEventListener('abort', () => end.abort(), { once: true });
      return deployment;
    },
  };
}
