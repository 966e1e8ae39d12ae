import { Presets, SingleBar } from 'cli-progress';

/** Shows how far an import is. */
export interface Progress {
  update(done: number): void;
  stop(): void;
}

/** A bar with rate and time left on a terminal, and a plain line every few seconds elsewhere; on standard error. */
export function createProgress(total: number): Progress {
  const startedAt = performance.now();
  const bar = new SingleBar(
    {
      format: '{bar} {value}/{total} | {rate}/s | {eta_formatted} left',
      stream: process.stderr,
      noTTYOutput: true,
      notTTYSchedule: 5000,
      hideCursor: true,
    },
    Presets.shades_classic,
  );
  bar.start(total, 0, { rate: '-' });
  return {
    update: (done) => bar.update(done, { rate: Math.round(done / ((performance.now() - startedAt) / 1000)) }),
    stop: () => bar.stop(),
  };
}
