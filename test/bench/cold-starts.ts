import { createHistogram } from 'node:perf_hooks';
import type { CpuLimit } from './lambda/cpu-limit.ts';
import { type Build, startFunction } from './lambda/function-process.ts';

/** What a build of a handler takes, as the median of its starts; times in milliseconds. */
export interface ColdStart {
  readonly name: string;
  readonly kind: Build['kind'];
  readonly init: number;
  readonly firstInvocation: number;
  /** Both together. */
  readonly coldStart: number;
  readonly warmP50: number;
  readonly warmP99: number;
  /** What Lambda bills for a warm invocation, on average: it rounds each up to a millisecond. */
  readonly billedMs: number;
}

export interface BenchOptions {
  /** How many times each build is started. */
  readonly starts: number;
  /** How many invocations follow the first one without a pause, in the last few of the starts. */
  readonly warmInvocations: number;
  /** What limits the processes after init. */
  readonly limit: CpuLimit | undefined;
  readonly onStart: () => void;
}

/** The times of one start, in milliseconds. */
interface Start {
  readonly init: number;
  readonly firstInvocation: number;
  readonly warm: readonly number[];
}

/** In the last few of the starts the function is invoked more than once. */
const warmStarts = 3;

/** Starts every build once, for DynamoDB to warm up. */
export async function warmUp(builds: readonly Build[]): Promise<void> {
  for (const build of builds) await measureStart(build, 1, undefined);
}

/**
 * Starts every build, once in each round and in another order each time, so that nothing that happens besides, and no
 * build before, falls on one of them alone.
 */
export async function measureColdStarts(
  builds: readonly Build[],
  { starts, warmInvocations, limit, onStart }: BenchOptions,
): Promise<ColdStart[]> {
  const measured = new Map<Build, Start[]>(builds.map((build) => [build, []]));
  for (let round = 0; round < starts; round += 1) {
    const isWarm = round >= starts - warmStarts;
    for (const [build, measurements] of inAnyOrder([...measured])) {
      measurements.push(await measureStart(build, isWarm ? warmInvocations : 0, limit));
      onStart();
    }
  }
  return [...measured].map(([build, measurements]) => summaryOf(build, measurements));
}

async function measureStart(
  build: Build,
  warmInvocations: number,
  limit: CpuLimit | undefined,
): Promise<Start> {
  await using started = await startFunction(build);
  limit?.apply(started.processId);
  const firstInvocation = await started.invoke();
  const warm: number[] = [];
  while (warm.length < warmInvocations) warm.push(await started.invoke());
  return { init: started.init, firstInvocation, warm };
}

function summaryOf({ name, kind }: Build, starts: readonly Start[]): ColdStart {
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
    billedMs: warm.reduce((sum, milliseconds) => sum + Math.ceil(milliseconds), 0) / warm.length,
  };
}

/** The time that a percentage of the times do not exceed, to a microsecond. */
function percentile(times: readonly number[], percent: number): number {
  const microseconds = createHistogram({ figures: 5 });
  for (const time of times) microseconds.record(Math.round(time * 1000));
  return microseconds.percentile(percent) / 1000;
}

function inAnyOrder<T>(values: readonly T[]): T[] {
  return values
    .map((value) => ({ value, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ value }) => value);
}
