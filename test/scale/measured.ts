import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';

// What the benches measured last, which docs/speed.md shows.

/** Medians of cold starts in milliseconds: until the function is ready, and until its first response. */
export interface ColdStart {
  readonly init: number;
  readonly sum: number;
}

/** Medians of warm requests in milliseconds: their CPU time, and their duration. */
export interface WarmRequest {
  readonly cpu: number;
  readonly duration: number;
}

/** A run of a bench. It has the result of each function, and that of another build or of a plain handler. */
export interface Run<Result> {
  readonly date: string;
  readonly machine: string;
  /** The load before the bench began. */
  readonly load: number;
  readonly functions: Readonly<Record<string, { readonly ours: Result; readonly other: Result }>>;
}

/** Runs by their name. A limited one had a share of a CPU, as on Lambda. */
export interface Measured {
  readonly coldStarts: Run<ColdStart>;
  readonly limitedColdStarts: Run<ColdStart>;
  readonly warm: Run<WarmRequest>;
  readonly limitedWarm: Run<WarmRequest>;
}

/** How often a bench starts each function, and how many requests it sends to it. */
export const repetitions = { starts: 20, requests: 500 };

const file = 'test/scale/measured.json';

export const readMeasured = (): Measured => JSON.parse(readFileSync(file, 'utf8'));

/** A function with the medians of both builds. */
interface Compared<Result> {
  readonly name: string;
  readonly ours: Result;
  readonly other: Result;
}

type ResultOf<Name extends keyof Measured> = Measured[Name]['functions'][string]['ours'];

/** Replaces a run by a new one, which began at this load of the machine. */
export function writeMeasured<Name extends keyof Measured>(
  name: Name,
  { load, compared }: { readonly load: number; readonly compared: readonly Compared<ResultOf<Name>>[] },
): void {
  const run = {
    date: new Date().toISOString().slice(0, 10),
    machine: `${cpus().length} cores (${cpus()[0]?.model.trim()}, ${process.arch})`,
    load,
    functions: Object.fromEntries(compared.map(({ name, ours, other }) => [name, { ours, other }])),
  };
  const rounded = (_key: string, value: unknown) =>
    typeof value === 'number' ? Math.round(value * 100) / 100 : value;
  writeFileSync(file, `${JSON.stringify({ ...readMeasured(), [name]: run }, rounded, 2)}\n`);
}
