import { type Build, benchedFunctions } from './benched-functions.ts';

interface Comparison<Figure extends string> {
  /** Builds a function in the way that ours is compared with. */
  readonly buildOther: (name: string, directory: string) => unknown;
  readonly rounds: number;
  readonly measure: (build: Build) => Promise<Readonly<Record<Figure, number>>>;
  readonly figures: readonly Figure[];
}

/** Returns the medians of each function's figures, as it is deployed and as the other build. */
export async function compareBuilds<Figure extends string>(comparison: Comparison<Figure>) {
  const { buildOther, rounds, measure, figures } = comparison;
  type Result = Readonly<Record<Figure, number>>;
  await using benched = await benchedFunctions();
  const functions = [];
  for (const { name, deployed, other } of benched.functions) {
    await buildOther(name, other.directory);
    functions.push({
      name,
      ours: { build: deployed, results: [] as Result[] },
      other: { build: other, results: [] as Result[] },
    });
  }

  // A round measures each build once, so that other load does not affect one build alone.
  for (let round = 0; round < rounds; round += 1) {
    for (const { build, results } of functions.flatMap(({ ours, other }) => [ours, other])) {
      results.push(await measure(build));
    }
  }

  const mediansOf = (results: readonly Result[]) =>
    Object.fromEntries(
      figures.map((figure) => [figure, median(results.map((result) => result[figure]))]),
    ) as Result;
  return functions.map(({ name, ours, other }) => ({
    name,
    ours: mediansOf(ours.results),
    other: mediansOf(other.results),
  }));
}

/** Returns the middle of some times, which a few slow ones do not change. */
const median = (times: readonly number[]) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
