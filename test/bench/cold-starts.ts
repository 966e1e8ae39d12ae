import fc from 'fast-check';
import type { CpuLimit } from './cpu-limit.ts';
import { type Build, startFunction } from './function-process.ts';

/** How many of the starts, the last ones, are followed by warm invocations. */
const warmStarts = 3;

/** The times of a build, as the medians of its starts, in milliseconds. */
export type ColdStart = ReturnType<typeof summaryOf>;

/**
 * Starts every build once per round, each round in a random order, so that other load, or the previous build,
 * does not affect one build alone.
 */
export async function measureColdStarts(
  builds: readonly Build[],
  { starts, warm }: { readonly starts: number; readonly warm: number },
  limit?: CpuLimit,
): Promise<ColdStart[]> {
  const measured = builds.map((build) => ({ build, starts: [] as Start[] }));
  const orders = fc.sample(fc.shuffledSubarray(measured, { minLength: builds.length }), starts);
  for (const [round, order] of orders.entries()) {
    for (const { build, starts: measurements } of order) {
      measurements.push(await measureStart(build, round >= starts - warmStarts ? warm : 0, limit));
    }
  }
  return measured.map(summaryOf);
}

type Start = Awaited<ReturnType<typeof measureStart>>;

/** Starts a build, and invokes it once and then `warmInvocations` times. */
export async function measureStart(build: Build, warmInvocations = 0, limit?: CpuLimit) {
  await using started = await startFunction(build);
  limit?.apply(started.processId);
  const first = await started.invoke();
  const warm: number[] = [];
  while (warm.length < warmInvocations) warm.push(await started.invoke());
  return { init: started.init, first, sum: started.init + first, warm };
}

function summaryOf({ build, starts }: { readonly build: Build; readonly starts: readonly Start[] }) {
  const medianOf = (time: 'init' | 'first' | 'sum' | 'warm') =>
    median(starts.flatMap((start) => start[time]));
  const { name, kind } = build;
  return {
    ...{ name, kind, init: medianOf('init'), first: medianOf('first') },
    ...{ sum: medianOf('sum'), warm: medianOf('warm') },
  };
}

const median = (times: readonly number[]) =>
  times.toSorted((a, b) => a - b)[Math.ceil(times.length / 2) - 1] ?? Number.NaN;
