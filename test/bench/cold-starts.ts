import { createHistogram } from 'node:perf_hooks';
import fc from 'fast-check';
import type { CpuLimit } from './lambda/cpu-limit.ts';
import { type Build, startFunction } from './lambda/function-process.ts';

/** In so many of the starts, the last ones, more invocations follow the first one without a pause. */
const warmStarts = 3;

/** Starts every build once, for DynamoDB to warm up. */
export async function warmUp(builds: readonly Build[]): Promise<void> {
  for (const build of builds) await measureStart(build, 1, undefined);
}

/** What a build of a handler takes, as the median of its starts; times in milliseconds. */
export type ColdStart = ReturnType<typeof summaryOf>;

/**
 * Starts every build, once in each round and in another order each time, so that nothing that happens besides, and no
 * build before, falls on one of them alone.
 */
export async function measureColdStarts(
  builds: readonly Build[],
  starts: number,
  warmInvocations: number,
  limit: CpuLimit | undefined,
  onStart: () => void,
): Promise<ColdStart[]> {
  const measured = builds.map((build) => ({ build, starts: [] as Start[] }));
  const orders = fc.sample(fc.shuffledSubarray(measured, { minLength: builds.length }), starts);
  for (const [round, order] of orders.entries()) {
    const isWarm = round >= starts - warmStarts;
    for (const { build, starts: measurements } of order) {
      measurements.push(await measureStart(build, isWarm ? warmInvocations : 0, limit));
      onStart();
    }
  }
  return measured.map(({ build, starts: measurements }) => summaryOf(build, measurements));
}

type Start = Awaited<ReturnType<typeof measureStart>>;

async function measureStart(build: Build, warmInvocations: number, limit: CpuLimit | undefined) {
  await using started = await startFunction(build);
  limit?.apply(started.processId);
  const firstInvocation = await started.invoke();
  const warm: number[] = [];
  while (warm.length < warmInvocations) warm.push(await started.invoke());
  return { init: started.init, firstInvocation, warm };
}

function summaryOf({ name, kind }: Build, starts: readonly Start[]) {
  const medianOf = (figure: (start: Start) => number) => percentile(starts.map(figure), 50);
  const warm = starts.flatMap((start) => start.warm);
  return {
    name,
    kind,
    init: medianOf(({ init }) => init),
    firstInvocation: medianOf(({ firstInvocation }) => firstInvocation),
    coldStart: medianOf(({ init, firstInvocation }) => init + firstInvocation),
    warmP50: percentile(warm, 50),
    warmP99: percentile(warm, 99),
  };
}

/** The time that a percentage of the times do not exceed, to a microsecond. */
function percentile(times: readonly number[], percent: number): number {
  const microseconds = createHistogram({ figures: 5 });
  for (const time of times) microseconds.record(Math.round(time * 1000));
  return microseconds.percentile(percent) / 1000;
}
