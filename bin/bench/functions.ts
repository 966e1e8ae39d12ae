import { benchedFunctions } from './benched-functions.ts';
import { measureFunction } from './measure-function.ts';
import { median } from './median.ts';

const rounds = 10;

/** Measures cold starts, memory and warm invocations of the functions as deployed, and prints medians. */
export async function benchFunctions(controlGroup: string | undefined): Promise<void> {
  await using benched = await benchedFunctions();
  const results = new Map(benched.functions.map(({ name }) => [name, [] as Measured[]]));
  // A round measures each function once, so that other load does not affect one function alone.
  for (let round = 0; round < rounds; round += 1) {
    for (const build of benched.functions) {
      results.get(build.name)?.push(await measureFunction(build, controlGroup));
    }
  }
  const rows = Array.from(results, ([name, measured]) => {
    const of = (figure: keyof Measured) => median(measured.map((result) => result[figure] ?? Number.NaN));
    return {
      name,
      'init ms': of('init').toFixed(1),
      'init + first ms': of('first').toFixed(1),
      'memory MiB': of('memory').toFixed(0),
      'warm CPU ms': of('cpu').toFixed(2),
      'warm ms': of('duration').toFixed(2),
    };
  });
  console.table(rows);
}

type Measured = Awaited<ReturnType<typeof measureFunction>>;
