import type { CpuLimit } from './cpu-limit.ts';
import { FunctionProcess, type LoadedCode } from './function-process.ts';
import { mean, median, percentile } from './statistics.ts';
import { type Build, floor, oneCall, type Subject } from './subjects.ts';

/** What a build of a handler takes, as the median of its starts; times in milliseconds. */
export interface ColdStart {
  readonly name: string;
  readonly build: Build;
  readonly init: number;
  readonly firstInvocation: number;
  /** Both together. */
  readonly coldStart: number;
  readonly warmP50: number;
  readonly warmP99: number;
  /** What Lambda bills for a warm invocation, on average: it rounds each up to a millisecond. */
  readonly billedMs: number;
  readonly loadedAtStart: LoadedCode;
  /** In bytes; undefined where the system does not tell. */
  readonly peakMemory: number | undefined;
}

/** A cold start, with each of its figures as a multiple of the bare handlers' and of the conventional build's. */
export interface ComparedColdStart extends ColdStart {
  readonly toFloor: Ratios;
  readonly toOneCall: Ratios;
  /** Undefined for the bare handlers, which have no other build. */
  readonly toConventional: Ratios | undefined;
}

export interface Ratios {
  readonly init: number;
  readonly firstInvocation: number;
  readonly coldStart: number;
  readonly warmP50: number;
  readonly loadedBytes: number;
}

export interface BenchOptions {
  /** How many times each subject is started. */
  readonly starts: number;
  /** How many invocations follow the first one without a pause, in a few of the starts. */
  readonly warmInvocations: number;
  /** What limits the processes after init. */
  readonly limit?: CpuLimit | undefined;
  readonly onStart: () => void;
}

/** What one start came to; times in milliseconds. */
interface Start {
  readonly init: number;
  readonly firstInvocation: number;
  readonly warmInvocations: readonly number[];
  readonly peakMemory: number | undefined;
}

/** In the last few of the starts the function is invoked more than once. */
const warmStarts = 3;

/**
 * Starts every subject, once in each round and in another order each time, so that nothing that happens besides, and no
 * subject before, falls on one of them alone. A first round, for DynamoDB to warm up, does not count.
 */
export async function measureColdStarts(
  subjects: readonly Subject[],
  { starts, warmInvocations, limit, onStart }: BenchOptions,
): Promise<ColdStart[]> {
  const measured = new Map<Subject, Start[]>(subjects.map((subject) => [subject, []]));
  for (const subject of subjects) await measureStart(subject, 1, limit);
  for (let round = 0; round < starts; round += 1) {
    const isWarm = round >= starts - warmStarts;
    for (const subject of inAnyOrder(subjects)) {
      measured.get(subject)?.push(await measureStart(subject, isWarm ? warmInvocations : 0, limit));
      onStart();
    }
  }

  const coldStarts: ColdStart[] = [];
  for (const [subject, measurements] of measured) {
    coldStarts.push(summaryOf(subject, measurements, await loadedCodeOf(subject)));
  }
  return coldStarts;
}

/** What has been counted: it is the same whatever the CPU. */
const loadedCode = new WeakMap<Subject, LoadedCode>();

async function loadedCodeOf(subject: Subject): Promise<LoadedCode> {
  const counted = loadedCode.get(subject) ?? (await FunctionProcess.countLoadedCode(subject));
  loadedCode.set(subject, counted);
  return counted;
}

async function measureStart(
  subject: Subject,
  warmInvocations: number,
  limit: CpuLimit | undefined,
): Promise<Start> {
  await using started = await FunctionProcess.start(subject);
  limit?.apply(started.processId);
  const firstInvocation = await started.invoke(subject.event);
  const warm: number[] = [];
  while (warm.length < warmInvocations) warm.push(await started.invoke(subject.event));
  return { init: started.init, firstInvocation, warmInvocations: warm, peakMemory: started.peakMemory };
}

function summaryOf({ name, build }: Subject, starts: readonly Start[], loadedAtStart: LoadedCode): ColdStart {
  const medianOf = (figure: (start: Start) => number) => median(starts.map(figure));
  const warm = starts.map(({ warmInvocations }) => warmInvocations).filter(({ length }) => length > 0);
  const peaks = starts.flatMap(({ peakMemory }) => peakMemory ?? []);
  return {
    name,
    build,
    init: medianOf(({ init }) => init),
    firstInvocation: medianOf(({ firstInvocation }) => firstInvocation),
    coldStart: medianOf(({ init, firstInvocation }) => init + firstInvocation),
    warmP50: median(warm.map((times) => percentile(times, 0.5))),
    warmP99: median(warm.map((times) => percentile(times, 0.99))),
    billedMs: mean(warm.flat().map(Math.ceil)),
    loadedAtStart,
    peakMemory: peaks.length > 0 ? Math.max(...peaks) : undefined,
  };
}

/** Compares cold starts of the same run, those of the bare handlers being among them. */
export function compare(coldStarts: readonly ColdStart[]): ComparedColdStart[] {
  const empty = coldStarts.find(({ name }) => name === floor);
  const bare = coldStarts.find(({ name }) => name === oneCall);
  if (!empty || !bare) throw new Error('The bare handlers have not been measured.');
  return coldStarts.map((coldStart) => {
    const conventional = coldStarts.find(
      ({ name, build }) => name === coldStart.name && build === 'conventional',
    );
    return {
      ...coldStart,
      toFloor: ratios(coldStart, empty),
      toOneCall: ratios(coldStart, bare),
      toConventional: conventional && ratios(coldStart, conventional),
    };
  });
}

const ratios = (one: ColdStart, other: ColdStart): Ratios => ({
  init: one.init / other.init,
  firstInvocation: one.firstInvocation / other.firstInvocation,
  coldStart: one.coldStart / other.coldStart,
  warmP50: one.warmP50 / other.warmP50,
  loadedBytes: one.loadedAtStart.bytes / other.loadedAtStart.bytes,
});

function inAnyOrder<T>(values: readonly T[]): T[] {
  return values
    .map((value) => ({ value, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ value }) => value);
}
