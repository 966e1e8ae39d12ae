import { Presets, SingleBar } from 'cli-progress';
import { createRecentRate } from './recent-rate.ts';

/** Shows how far an import is. */
export interface Progress {
  update(done: number): void;
  /** Tells that a call failed, and is tried again after so many milliseconds. */
  wait(milliseconds: number): void;
  stop(): void;
}

/** A bar with rate and time left on a terminal, and a plain line every few seconds elsewhere; on standard error. */
export function createProgress(total: number): Progress {
  const rateOf = createRecentRate(performance.now());
  const bar = new SingleBar(
    {
      format: '{bar} {value}/{total} | {status}',
      stream: process.stderr,
      noTTYOutput: true,
      notTTYSchedule: 5000,
      hideCursor: true,
    },
    Presets.shades_classic,
  );
  let done = 0;
  let nextTryAt = 0;
  const show = () => {
    const now = performance.now();
    const rate = rateOf(done, now);
    bar.update(done, { status: statusText(rate, total - done, nextTryAt - now) });
  };

  bar.start(total, 0, { status: statusText(0, total, 0) });
  const timer = setInterval(show, 500);
  return {
    update(count) {
      done = count;
      nextTryAt = 0;
      show();
    },
    wait(milliseconds) {
      const now = performance.now();
      const at = now + milliseconds;
      nextTryAt = nextTryAt > now ? Math.min(nextTryAt, at) : at;
      show();
    },
    stop() {
      clearInterval(timer);
      bar.stop();
    },
  };
}

/** What stands beside the bar: rows a second and the time left, or, in milliseconds, how long there is nothing to do. */
export function statusText(rate: number, rest: number, wait: number): string {
  if (wait > 0) return `waiting, next try in ${Math.ceil(wait / 1000)} s`;
  if (rate <= 0) return '-/s';
  return `${rate < 10 ? rate.toFixed(1) : Math.round(rate)}/s | ${durationText(rest / rate)} left`;
}

function durationText(seconds: number): string {
  const rest = Math.ceil(seconds);
  if (rest < 60) return `${rest}s`;
  const minutes = Math.floor(rest / 60);
  return minutes < 60 ? `${minutes}m${rest % 60}s` : `${Math.floor(minutes / 60)}h${minutes % 60}m`;
}
